import { PassThrough } from 'node:stream';
import { render } from 'ink';
import { createElement } from 'react';
import { expect, test, vi } from 'vitest';
import {
  type Board,
  type CommandId,
  commands,
  emptyBoard,
  hintOf,
  isAnswerEntry,
  withRequests,
  press,
  withSnapshot,
} from '../client/board.ts';
import { wide } from '../client/text.ts';
import type { Request } from '../contract/answer.ts';
import { aSession } from '../testing/session.ts';
import { Screen } from './screen.tsx';

// Ink looks at it as it loads; the built board does not (ink/in-ci.ts).
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
  for (const keys of ['', 'jjj', 'G', '?', '/x', 'z', ']', 'a', 'aJJJ', 'aG', 'xno', 'ja'].map(word =>
    word.split(''),
  )) {
    const pressed = keys.reduce((state, key) => press(state, key, 1_000).board, crowd);
    const { entry } = pressed;
    const board = isAnswerEntry(entry) ? withRequests(pressed, [asked(entry.request)], 1_000) : pressed;
    const lines = frame(board, columns, rows, `${'─'.repeat(300)}\n`.repeat(80)).split('\n');
    expect(lines.length).toBeLessThan(rows);
    expect(lines.filter(line => wide(line) > columns)).toEqual([]);
  }
});

test('the help lists every command, and the last line those that can be used', () => {
  const help = frame({ ...crowd, help: true }, 80, 30).split('\n');
  for (const { shown, help: text } of Object.values(commands))
    expect(help).toContain(`  ${shown.padEnd(9)} ${text}`);
  const hints = (requests: Request[]) => {
    const session = aSession({ id: '7f0c3ad1', state: 'waiting', reason: 'stopped', requests });
    return frame(withSnapshot(emptyBoard, [session], 1_000), 80, 24)
      .trimEnd()
      .split('\n')
      .at(-1)
      ?.trim();
  };
  const shown = (ids: CommandId[]) => ids.map(hintOf).join('  ');
  expect(hints([])).toBe(shown(['go', 'next', 'skip', 'snooze', 'dismiss', 'filter', 'help', 'quit']));
  expect(hints([asked(1)])).toBe(shown(['allow', 'deny', 'go', 'next', 'skip', 'snooze', 'dismiss', 'help']));
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
])('a confirmation in %i x %i shows the session and the request, and scrolls to its end', (columns, rows) => {
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
  let board = withRequests(
    press(withSnapshot(emptyBoard, [session], 1_000), 'a', 1_000).board,
    [request],
    1_000,
  );
  const seen: string[] = [];
  for (let pages = 0; pages < 60; pages++) {
    seen.push(frame(board, columns, rows));
    board = press(board, 'J', 1_000).board;
  }
  expect(seen[0]).toContain('Allow Bash?');
  const all = seen.join('\n');
  for (const part of ['Tool     Bash', '7f0c3ad1', 'shop', 'reviewer', 'Request  7', 'last-word', '2 more'])
    expect(all).toContain(part);
});
