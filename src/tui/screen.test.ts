import { PassThrough } from 'node:stream';
import { render } from 'ink';
import { createElement } from 'react';
import { expect, test, vi } from 'vitest';
import {
  type Board,
  type CommandId,
  helpRows,
  emptyBoard,
  hintOf,
  isAnswerEntry,
  withRequestPage,
  press,
  withSnapshot,
} from '../client/board.ts';
import { wide } from '../client/text.ts';
import type { Request, RequestPage } from '../contract/answer.ts';
import type { Session } from '../contract/session.ts';
import { aSession } from '../testing/session.ts';
import { Screen } from './screen.tsx';

// Ink reads it when it loads; the built board does not (ink/in-ci.ts).
vi.hoisted(() => {
  process.env.CI = 'false';
  delete process.env.CONTINUOUS_INTEGRATION;
});

const hostile = 'bad\x1b[2J\x1b]0;title\x07\nname \u202e日本 #(touch x)#[bg=red] ' + 'long '.repeat(200);
const detail = {
  line: hostile,
  text: hostile,
  tool: 'Bash',
  questions: [],
  agent: hostile,
  cut: 0,
  request: 1,
};

const asked = (id: number): Request => ({
  id,
  kind: 'permission',
  tool: hostile,
  agent: hostile,
  line: hostile,
  at: 1,
  until: 2_000,
  input: { command: hostile, [hostile]: [hostile] },
  rememberable: false,
});

/** The request as the panel loads it. */
const pageOf = (request: Request): RequestPage => ({
  ...request,
  way: 'hook',
  choices: [
    { choice: 'allow', label: 'Allow once', effect: 'allow' },
    { choice: 'allow_always', label: "Allow and don't ask again", effect: 'allow', rule: hostile },
    { choice: 'deny', label: 'Deny', effect: 'deny', takesMessage: true },
  ],
});

const crowd = withSnapshot(
  emptyBoard,
  Array.from({ length: 200 }, (_, n) =>
    aSession({
      id: `5eed${String(n).padStart(4, '0')}`,
      since: n,
      ...(n % 3
        ? {
            state: 'waiting',
            reason: 'permission',
            detail,
            approvals: 'held',
            requests: [asked(n), asked(n + 1_000)],
          }
        : { state: 'working' }),
      project: n % 2 ? hostile : 'shop',
      pane: {
        socket: '/s',
        serverPid: 1,
        id: '%1',
        pid: 1,
        session: hostile,
        window: hostile,
        windowIndex: 0,
      },
      host: n % 7 ? null : hostile,
    }),
  ),
  1_000,
);

/** The frame that a terminal of this size gets. */
const frame = (board: Board, columns: number, rows: number, preview = ''): string => {
  const stdout = Object.assign(new PassThrough(), { columns, rows }) as unknown as NodeJS.WriteStream;
  let last = '';
  stdout.on('data', chunk => {
    last = String(chunk);
  });
  const screen = { text: preview, width: columns, height: rows };
  const tree = createElement(Screen, {
    board,
    preview: screen,
    size: { columns, rows },
    now: 1_000,
    colours: false,
  });
  render(tree, { stdout, debug: true, patchConsole: false }).unmount();
  return last;
};

test.each([
  [80, 24],
  [200, 50],
  [110, 30],
  [60, 15],
  [40, 10],
  [20, 6],
])('the board fits %i x %i with hostile session names', (columns, rows) => {
  for (const keys of [
    '',
    'jjj',
    'G',
    '?',
    '/x',
    'z',
    ']',
    'a',
    'aJJJ',
    'aG',
    'a2',
    'xno',
    'ja',
    'N',
    'Nshop',
    '  z',
    'e',
    'tx',
    'mhi',
  ].map(word => word.split(''))) {
    const pressed = keys.reduce((state, key) => press(state, key, 1_000).board, crowd);
    const { entry } = pressed;
    const board = isAnswerEntry(entry)
      ? withRequestPage(pressed, pageOf(asked(entry.request)), 1_000)
      : pressed;
    const lines = frame(board, columns, rows, `${'─'.repeat(300)}\n`.repeat(80)).split('\n');
    expect(lines.length).toBeLessThan(rows);
    expect(lines.filter(line => wide(line) > columns)).toEqual([]);
  }
});

test('the help lists every command, on a low screen by name; the last line has only keys that work', () => {
  const help = frame({ ...crowd, help: true }, 80, 36).split('\n');
  for (const { keys, help: text } of helpRows('board')) expect(help).toContain(`  ${keys.padEnd(9)} ${text}`);
  const low = frame({ ...crowd, help: true }, 80, 24);
  for (const { label } of helpRows('board')) expect(low).toContain(label);
  // A popup of 40 rows and 120 columns.
  const popup = frame({ ...crowd, help: true }, 106, 30);
  for (const { label, help: text } of helpRows('board'))
    expect([label, popup.includes(text.length < 40 ? text : label)]).toEqual([label, true]);
  const hints = (more: Partial<Session>, columns = 200) =>
    frame(withSnapshot(emptyBoard, [aSession({ id: '7f0c3ad1', ...more })], 1_000), columns, 24)
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.trim();
  const shown = (...ids: CommandId[]) => ids.map(hintOf).join('  ');
  const rest: CommandId[] = ['new', 'rename', 'tag', 'mark', 'filter', 'openPage', 'quit', 'help'];
  const stopped = { state: 'waiting', reason: 'stopped' } as const;
  expect(hints(stopped)).toBe(shown('next', 'skip', 'snooze', 'dismiss', 'message', 'park', ...rest));
  expect(hints({ state: 'waiting', reason: 'permission', requests: [asked(1)] })).toBe(
    shown('answer', 'deny', 'next', 'skip', 'snooze', 'dismiss', ...rest),
  );
  expect(hints({ state: 'working' })).toBe(shown('next', 'message', 'interrupt', ...rest));
  expect(hints({ state: 'ended', reason: 'exit' })).toBe(shown('resume', 'next', ...rest));
  // What does not fit is left out, but never the help.
  expect(hints(stopped, 40)).toBe(shown('next', 'skip', 'snooze', 'help'));
});

test('untrusted text reaches the screen without control characters', () => {
  const text = frame(crowd, 120, 40);
  expect(text).toContain('#(touch x)#[bg=red]');
  expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
});

test('down, empty, filtered empty and starting look different', () => {
  const seen = [
    frame(emptyBoard, 80, 24),
    frame(withSnapshot(emptyBoard, [], 1_000), 80, 24),
    frame({ ...withSnapshot(emptyBoard, [], 1_000), link: 'down' }, 80, 24),
    frame({ ...crowd, filter: 'nowhere' }, 80, 24),
    frame({ ...crowd, link: 'down' }, 80, 24),
  ];
  expect(new Set(seen).size).toBe(5);
  expect(seen[2]).toContain('DAEMON DOWN');
  expect(seen[4]).toContain('DAEMON DOWN');
  expect(seen[0]).not.toContain('none waiting');
  expect(seen[1]).toContain('none waiting');
});

test.each([
  [80, 24],
  [40, 15],
  [20, 8],
])(
  'the answer panel in %i x %i shows the session and the request, and scrolls to its end',
  (columns, rows) => {
    const request = {
      ...asked(7),
      tool: 'Bash',
      agent: 'reviewer',
      line: 'Bash: git push',
      input: {
        command: `git push --force ${'origin main '.repeat(40)}last-word`,
        description: 'Push',
      },
    };
    const session = aSession({
      id: '7f0c3ad1',
      project: 'shop',
      cwd: '/srv/shop',
      state: 'waiting',
      reason: 'permission',
      approvals: 'held',
      requests: [request, { ...request, id: 8 }, { ...request, id: 9 }],
    });
    const opened = press(withSnapshot(emptyBoard, [session], 1_000), 'a', 1_000).board;
    let board = withRequestPage(
      opened,
      { ...pageOf(request), choices: pageOf(request).choices.slice(0, 1) },
      1_000,
    );
    const seen: string[] = [];
    for (let pages = 0; pages < 60; pages++) {
      seen.push(frame(board, columns, rows));
      board = press(board, 'J', 1_000).board;
    }
    expect(seen[0]).toContain(columns > 20 ? 'Allow Bash in shop?' : 'Allow Bash');
    const all = seen.join('\n');
    for (const part of [
      'Tool     Bash',
      '7f0c3ad1',
      'shop',
      'reviewer',
      'last-word',
      '2 more',
      '(•) 1. Allow',
    ])
      expect(all).toContain(part);
  },
);

test('quotas are on top where there is room, and a session at its limit has a group of its own', () => {
  const quota = {
    fiveHour: { percent: 62, resetsAt: 2_000 },
    sevenDay: { percent: 12, resetsAt: 9_000 },
    at: 1,
  };
  const limit = { resetsAt: 3_600_000, window: 'five_hour', continues: false, isOver: false };
  const limited = aSession({
    id: '5eed0001',
    state: 'waiting',
    reason: 'limit',
    limit,
    quota,
    transcript: '/h/.claude/projects/-p/x.jsonl',
  });
  const board = { ...withSnapshot(emptyBoard, [limited], 1_000), link: 'live' as const };
  const [head, row] = frame(board, 120, 20).split('\n');
  expect(head).toContain('none waiting');
  expect(head).toContain('1 at a limit');
  expect(head).toContain('5 h ▮▮▮▮▮ 100 %, 7 d ▮▯▯▯▯ 12 %');
  expect(row).toMatch(/\[⏸\].{0,12}limit until \d\d:00 /);
  expect(frame(board, 76, 20).split('\n')[0]).toContain('5 h 100 %, 7 d 12 %');
  expect(frame(board, 40, 20)).not.toContain('100 %');
});
