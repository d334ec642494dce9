import { describe, expect, test } from 'vitest';
import type { Request } from '../../contract/answer.ts';
import type { OpenRequest, Session } from '../../contract/session.ts';
import { boardLimits } from '../../board-limits.ts';
import { aSession } from '../../testing/session.ts';
import {
  type Board,
  withChanges,
  confirmLines,
  confirmTitle,
  detailLines,
  emptyBoard,
  insertText,
  isAnswerEntry,
  withRequests,
  withPaint,
  press,
  sessionToLoad,
  withSnapshot,
} from '../board.ts';

const now = 1_000_000;
const seen = { most: 0, isEnd: true };

const open = (id: number, more: Partial<OpenRequest> = {}): OpenRequest => ({
  id,
  kind: 'permission',
  tool: 'Bash',
  agent: null,
  line: `Bash: command ${id}`,
  at: 1,
  until: 2_000_000,
  ...more,
});

const complete = (request: OpenRequest, input: Request['input']): Request => ({
  ...request,
  input,
  rememberable: false,
});

const held = (id: string, since: number, requests: OpenRequest[], more: Partial<Session> = {}): Session =>
  aSession({
    id,
    since,
    state: 'waiting',
    reason: 'permission',
    approvals: 'held',
    project: 'shop',
    requests,
    ...more,
  });

const two = withSnapshot(
  emptyBoard,
  [held('first', 1, [open(7), open(8)]), held('second', 2, [open(9)])],
  now,
);
const inputs = [complete(open(7), { command: 'npm publish' }), complete(open(8), { command: 'npm test' })];

const type = (board: Board, at: number, ...keys: string[]) =>
  keys.reduce((state, key) => press(state, key, at).board, board);
/** `a` on the screen, with its text on the screen to the end, as long ago as it takes. */
const confirming = (board: Board = two) =>
  withPaint(withRequests(type(board, now, 'a'), inputs, now), now, seen);
const later = now + boardLimits.confirmDelay;

describe('a confirmation', () => {
  test('answers its own request, also when another session becomes first', () => {
    const moved = withChanges(confirming(), [held('older', 0, [open(3)])], now);
    expect(press(moved, 'enter', later).command).toEqual({
      kind: 'answer',
      id: 'first',
      answer: { id: 7, behavior: 'allow' },
    });
  });

  test('ignores Enter for its first 400 ms, and for 400 ms after its text came', () => {
    const board = confirming();
    expect(press(board, 'enter', later - 1)).toEqual({ board: { ...board, last: 'enter' }, command: null });
    const opened = withPaint(type(two, now, 'a'), now, seen);
    const late = withPaint(withRequests(opened, inputs, now + 5_000), now + 5_000, seen);
    expect(press(late, 'enter', now + 5_000 + boardLimits.confirmDelay - 1).command).toBeNull();
    expect(press(late, 'enter', now + 5_000 + boardLimits.confirmDelay).command).not.toBeNull();
  });

  test('allows nothing until the complete request is loaded and its end was on the screen', () => {
    const opened = withPaint(type(two, now, 'a'), now, seen);
    expect(sessionToLoad(opened, now)).toBe('first');
    const early = press(opened, 'enter', later);
    expect([early.command, early.board.notice]).toEqual([null, expect.stringContaining('loading')]);
    const begun = withPaint(withRequests(opened, inputs, now), now, { most: 9, isEnd: false });
    expect(sessionToLoad(begun, now)).toBeNull();
    const half = press(begun, 'enter', later);
    expect([half.command, half.board.notice]).toEqual([null, 'Scroll to the end first: J or PageDown.']);
    expect(half.board.entry).not.toBeNull();
    const read = withPaint(type(half.board, later, 'pagedown'), later, { most: 9, isEnd: true });
    // Back at the beginning it has still been read.
    const back = withPaint(type(read, later, 'g'), later, { most: 9, isEnd: false });
    expect(press(back, 'enter', later).command).toMatchObject({ kind: 'answer' });
  });

  test('allows nothing if the input of the request is lost', () => {
    const board = withPaint(withRequests(type(two, now, 'a'), [complete(open(7), null)], now), now, seen);
    const pressed = press(board, 'enter', later);
    expect([pressed.command, pressed.board.notice]).toEqual([null, expect.stringContaining('terminal')]);
  });

  test('scrolls by keys up to its end, and closes with Esc or q', () => {
    const at = (board: Board) => (isAnswerEntry(board.entry) ? board.entry.scroll : null);
    const board = confirming();
    expect(at(type(board, now, 'J', 'j', 'down'))).toBe(3);
    expect(at(type(board, now, 'J', 'K', 'k'))).toBe(0);
    expect(at(press(board, 'pagedown', now, 12).board)).toBe(12);
    expect(at(withPaint(type(board, now, 'G'), now, { most: 40, isEnd: true }))).toBe(40);
    for (const key of ['escape', 'q']) expect(type(board, now, key).entry).toBeNull();
    for (const key of ['a', 'y', 'd', 'tab']) expect(type(board, now, key).entry).toEqual(board.entry);
  });

  test('closes with a notice when its request is gone, and keys meant for it are ignored', () => {
    const gone = withChanges(confirming(), [held('first', 1, [open(8)])], later);
    expect(gone).toMatchObject({
      entry: null,
      notice: 'No longer open: Bash: command 7',
      gone: { id: 'first', request: 7 },
    });
    const pressed = press(gone, 'enter', later + 100);
    expect([pressed.command, pressed.board.notice]).toEqual([null, gone.notice]);
    expect(press(pressed.board, 'd', later + 100 + boardLimits.closedFieldPause - 1).command).toBeNull();
    expect(press(pressed.board, 'd', later + 100 + boardLimits.closedFieldPause).command).not.toBeNull();
  });

  test('closes when the request is no longer held, or the session ends', () => {
    const lapsed = withChanges(confirming(), [held('first', 1, [open(7, { until: null }), open(8)])], now);
    expect(lapsed).toMatchObject({ entry: null, notice: expect.stringContaining('Only the terminal') });
    const ended = withChanges(confirming(), [held('first', 1, [], { state: 'ended', reason: 'exit' })], now);
    expect(ended).toMatchObject({ entry: null, notice: 'The session has ended.' });
    const same = withChanges(confirming(), [held('first', 1, [open(7)])], now);
    expect(same.entry).not.toBeNull();
  });

  test('shows the session, the complete input and the other open requests', () => {
    const lines = confirming();
    const text = isAnswerEntry(lines.entry) ? confirmLines(lines, lines.entry, 79).join('\n') : '';
    expect(text).toMatch(/Tool +Bash\nSession +first\nProject +shop\n[\s\S]*Request +7\n\n {2}npm publish\n/);
    expect(text).toContain('1 more open request:\n  8  Bash: command 8');
    const long = 'x '.repeat(50_000);
    const board = withRequests(lines, [complete(open(7), { command: long })], now);
    const wrapped = isAnswerEntry(board.entry) ? confirmLines(board, board.entry, 20) : [];
    expect(wrapped.join('').match(/x/g)?.length).toBeGreaterThanOrEqual(50_000);
    expect(wrapped.every(line => line.length <= 20)).toBe(true);
  });

  test('shows every character of the input', () => {
    const hidden = complete(open(7), { command: 'ls\u202e\x1b[8m; rm -rf ~' });
    const board = withRequests(confirming(), [hidden], now);
    const text = isAnswerEntry(board.entry) ? confirmLines(board, board.entry, 79).join('\n') : '';
    expect(text).toContain('ls\\u202e\\u001b[8m; rm -rf ~');
  });

  test('has its own title for a plan', () => {
    const plan = withSnapshot(
      emptyBoard,
      [held('first', 1, [open(7, { kind: 'plan', tool: 'ExitPlanMode' })])],
      now,
    );
    const titles = ['a', 'x'].map(key => {
      const { board } = press(plan, key, now);
      return isAnswerEntry(board.entry) ? confirmTitle(board, board.entry) : null;
    });
    expect(titles).toEqual(['Approve the plan?', 'Reject the plan?']);
  });
});

describe('a denial', () => {
  test('takes a typed or pasted message, and need not be read to its end', () => {
    const opened = withPaint(type(two, now, 'x'), now, { most: 9, isEnd: false });
    expect(press(type(opened, now, 'n', 'o'), 'enter', later).command).toEqual({
      kind: 'answer',
      id: 'first',
      answer: { id: 7, behavior: 'deny', message: 'no' },
    });
    expect(insertText(opened, 'not on main').entry).toMatchObject({ text: 'not on main' });
    expect(press(opened, 'enter', later).command).toMatchObject({ answer: { id: 7, behavior: 'deny' } });
    expect(press(opened, 'enter', later - 1).command).toBeNull();
    expect(type(opened, now, 'j', 'G', ' ', 'down').entry).toMatchObject({ text: 'jG ', scroll: 1 });
  });

  test('limits the length of the message, and says so', () => {
    const full = insertText(type(two, now, 'x'), 'x'.repeat(boardLimits.fieldText));
    expect(type(full, now, 'y')).toMatchObject({
      entry: { text: 'x'.repeat(boardLimits.fieldText) },
      notice: expect.stringContaining('2000 characters'),
    });
  });

  test('drops a paste once it is closed', () => {
    expect(insertText(two, 'a')).toBe(two);
    expect(insertText(confirming(), 'a')).toMatchObject({ entry: { text: '' } });
  });
});

describe('the request that is shown', () => {
  test('is the first or the picked one, and a and x answer it', () => {
    expect(press(two, 'a', now).board.entry).toMatchObject({ request: 7 });
    const second = type(two, now, ']');
    expect(press(second, 'a', now).board.entry).toMatchObject({ request: 8 });
    expect(press(second, 'x', now).board.entry).toMatchObject({ request: 8 });
    expect(press(type(second, now, ']'), 'a', now).board.entry).toMatchObject({ request: 7 });
    expect(press(type(two, now, '['), 'a', now).board.entry).toMatchObject({ request: 8 });
    expect(type(two, now, 'j', ']').notice).toBe('The session has no other open request.');
    const gone = withChanges(second, [held('first', 1, [open(7)])], now);
    expect(press(gone, 'a', now).board.entry).toMatchObject({ request: 7 });
  });

  test('is shown in full, followed by the others', () => {
    const [session] = two.sessions.values();
    const second = type(two, now, ']');
    expect(sessionToLoad(second, now)).toBe('first');
    expect(detailLines(second, session as Session, 60)).toContain('Loading …');
    const text = detailLines(withRequests(second, inputs, now), session as Session, 60).join('\n');
    expect(text).toMatch(
      /^Request 2 of 2\. \[ and \] show the others\.\nIt asks to use Bash:\n\n {2}npm test\n/,
    );
    expect(text).toContain('1 more open request:\n  7  Bash: command 7');
  });

  test('is answered only where that is possible', () => {
    const notices = (requests: OpenRequest[], more: Partial<Session> = {}) => {
      const board = withSnapshot(emptyBoard, [held('one', 1, requests, more)], now);
      return ['a', 'x'].map(key => press(board, key, now).board.notice);
    };
    expect(notices([])).toEqual(['The session has no open request.', 'The session has no open request.']);
    expect(notices([], { approvals: 'terminal' })[0]).toContain('is not held');
    expect(notices([open(1, { until: null })])[0]).toContain('Only the terminal');
    expect(notices([open(1, { kind: 'question' })])).toEqual([
      expect.stringContaining('drover answer one … --id 1'),
      null,
    ]);
  });
});

describe('what the user saw', () => {
  const shown = withPaint(two, now, seen);

  test('is what a key acts on, also when updates are not painted yet', () => {
    const news = withChanges(shown, [held('older', 0, [open(3)])], now);
    expect(press(news, 's', now).command).toEqual({ kind: 'skip', id: 'first' });
    expect(press(news, 'enter', now).command).toEqual({ kind: 'go', id: 'first' });
    expect(press(news, 'a', now).board.entry).toMatchObject({ id: 'first', request: 7 });
  });

  test('is not a session that has just moved under the cursor', () => {
    const news = withPaint(withChanges(shown, [held('older', 0, [open(3)])], now), now, seen);
    for (const key of ['s', 'd', 'enter', 'l', 'a', 'x', 'z', 'R']) {
      const { board, command } = press(news, key, now + boardLimits.rowSettle - 1);
      expect([key, command, board.entry, board.notice]).toEqual([
        key,
        null,
        null,
        'The selected session has just changed. Press the key again.',
      ]);
    }
    expect(press(news, 's', now + boardLimits.rowSettle).command).toEqual({ kind: 'skip', id: 'older' });
    // A session that the user selected is meant.
    expect(press(type(news, now, 'j'), 's', now).command).toEqual({ kind: 'skip', id: 'first' });
  });

  test('is gone with its session, and no other takes its place', () => {
    const gone = withSnapshot(shown, [held('second', 2, [open(9)])], now);
    expect(press(gone, 'd', now)).toMatchObject({ command: null, board: { notice: expect.any(String) } });
  });

  test('is what is snoozed, and only for the wait that was seen', () => {
    const opened = type(shown, now, 'z');
    const news = withPaint(withChanges(opened, [held('older', 0, [open(3)])], now), now, seen);
    expect(press(news, 'enter', now).command).toEqual({ kind: 'snooze', id: 'first', seconds: 600 });
    const went = withChanges(news, [aSession({ id: 'first', state: 'working', since: 9 })], now);
    expect(went).toMatchObject({ entry: null, notice: 'first in shop is no longer waiting.' });
    expect(press(went, 'enter', now).command).toBeNull();
    const again = withChanges(news, [held('first', 9, [open(11)])], now);
    expect(again.entry).toBeNull();
  });
});
