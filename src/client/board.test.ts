import { describe, expect, test } from 'vitest';
import { boardLimits } from '../board-limits.ts';
import type { Session } from '../contract/session.ts';
import { aRemoteSession } from '../testing/remote-session.ts';
import { aSession } from '../testing/session.ts';
import {
  type Board,
  withChanges as changesAt,
  elsewhereToLoad,
  emptyBoard,
  withDetails,
  endedShown,
  firstShown,
  press,
  rowLabel,
  rowsOf,
  selectedIn,
  withSnapshot as snapshotAt,
} from './board.ts';

const now = 1_000_000;
const withSnapshot = (board: Board, sessions: Session[]) => snapshotAt(board, sessions, now);
const withChanges = (board: Board, sessions: Session[]) => changesAt(board, sessions, now);
const waiting = (id: string, since: number, more: Partial<Session> = {}) =>
  aSession({ id, since, state: 'waiting', reason: 'stopped', ...more });

const six = withSnapshot(emptyBoard, [
  aSession({ id: 'ready', state: 'ready', since: 5 }),
  aSession({ id: 'works', state: 'working', since: 6, project: 'shop' }),
  waiting('second', 20),
  waiting('first', 10, { project: 'blog' }),
  waiting('put', 5, {
    deferral: {
      since: 5,
      skipped: null,
      snoozed: null,
      dismissed: 'stopped',
      claim: null,
      notified: null,
      seen: null,
    },
  }),
  aSession({ id: 'robot', state: 'waiting', reason: 'stopped', headless: true }),
]);

const names = (board: Board) => rowsOf(board, now).map(({ session }) => session.id);
const selected = (board: Board) => {
  const rows = rowsOf(board, now);
  return rows[selectedIn(board, rows)]?.session.id;
};
const after = (board: Board, ...keys: string[]) =>
  keys.reduce((state, key) => press(state, key, now, 4).board, board);
const command = (board: Board, ...keys: string[]) =>
  press(after(board, ...keys.slice(0, -1)), keys.at(-1) as string, now, 4).command;

describe('rows', () => {
  test('sessions of other hosts are in the one queue; those of away hosts have a group of their own', () => {
    const stopped = { state: 'waiting', reason: 'stopped' } as const;
    const board = withChanges(six, [
      aRemoteSession({ id: 'remote', since: 15, ...stopped }),
      aRemoteSession({ id: 'gone', since: 1, ...stopped }, { name: 'nas', isAway: true }),
    ]);
    expect(names(board)).toEqual(['first', 'remote@devbox', 'second', 'put', 'works', 'ready', 'gone@nas']);
    expect(rowsOf(board, now).at(-1)).toMatchObject({ group: 'away', position: null });
    const over = aRemoteSession({ id: 'over', state: 'ended', reason: 'exit' }, { isAway: true });
    const [row] = rowsOf(withChanges(emptyBoard, [over]), now);
    expect(row).toMatchObject({ group: 'ended' });
    expect(row && rowLabel(row, now)).toBe('ended');
  });

  test('waiting sessions come first, then deferred, working, ready and ended ones', () => {
    const board = withChanges(six, [aSession({ id: 'over', state: 'ended', reason: 'exit' })]);
    expect(names(board)).toEqual(['first', 'second', 'put', 'works', 'ready', 'over']);
    expect(rowsOf(board, now).map(({ position, deferred }) => position ?? deferred)).toEqual([
      1,
      2,
      'dismissed',
      null,
      null,
      null,
    ]);
  });

  test('the order of the daemon is the order of the board', () => {
    const board = withChanges(six, [waiting('asks', 30, { reason: 'permission' })]);
    expect(names(board)[0]).toBe('asks');
    expect(names({ ...board, order: 'fifo' })[0]).toBe('first');
  });

  test('a snapshot replaces the live sessions, and few ended ones stay', () => {
    const ended = Array.from({ length: 30 }, (_, n) => aSession({ id: `e${n}`, state: 'ended', since: n }));
    const board = withSnapshot(withChanges(six, ended), [waiting('only', 1)]);
    expect(names(board).length).toBe(1 + endedShown);
    expect(names(board).slice(0, 2)).toEqual(['only', 'e29']);
  });

  test('a start-up dialog that led to a session has no row; one that ended there has', () => {
    const dialog = (id: string, next: string | null) =>
      aSession({ id, state: 'ended', reason: 'exit', next, since: 1 });
    const board = withChanges(six, [dialog('startup-1-2', 'ready'), dialog('startup-3-4', null)]);
    expect(names(board).slice(-2)).toEqual(['ready', 'startup-3-4']);
  });

  test('every word of the filter must match', () => {
    expect(names({ ...six, filter: 'WAIT blog' })).toEqual(['first']);
    expect(names({ ...six, filter: 'nowhere' })).toEqual([]);
  });
});

describe('keys', () => {
  test('j, k, gg, G, pages and digits move the selection up to the ends', () => {
    expect(selected(six)).toBe('first');
    expect(selected(after(six, 'j', 'j'))).toBe('put');
    expect(selected(after(six, 'k'))).toBe('first');
    expect(selected(after(six, 'G'))).toBe('ready');
    expect(selected(after(six, 'G', 'j'))).toBe('ready');
    expect(selected(after(six, 'G', 'g'))).toBe('ready');
    expect(selected(after(six, 'G', 'g', 'g'))).toBe('first');
    expect(selected(after(six, 'ctrl-d'))).toBe('put');
    expect(selected(after(six, '4'))).toBe('works');
  });

  test('the first row is selected until the user moves, then the selection stays with its session', () => {
    const older = [waiting('oldest', 1)];
    expect(selected(withChanges(six, older))).toBe('oldest');
    expect(selected(withChanges(after(six, 'j'), older))).toBe('second');
    const gone = withSnapshot(after(six, 'j'), [waiting('first', 10)]);
    expect(selected(gone)).toBe('first');
  });

  test('Enter goes to the selected session, Tab to the next in the queue', () => {
    const pane = { socket: '/s', serverPid: 1, id: '%1', pid: 1, session: 's', window: 'w', windowIndex: 0 };
    const second = withChanges(six, [waiting('second', 20, { pane })]);
    expect(press(six, 'enter', now).board.notice).toBe('The session has no pane.');
    expect(command(second, 'j', 'enter')).toEqual({ kind: 'go', id: 'second' });
    expect(command(six, 'j', 'tab')).toEqual({ kind: 'next' });
    expect(command(emptyBoard, 'enter')).toBeNull();
    expect(command(six, 'q')).toEqual({ kind: 'quit' });
  });

  test('Enter goes to a session of another host, and nothing is done with one whose host is away', () => {
    const asks = { state: 'waiting', reason: 'permission', since: 1 } as const;
    const there = withSnapshot(emptyBoard, [aRemoteSession({ id: 'remote', ...asks })]);
    expect(command(there, 'enter')).toEqual({ kind: 'go', id: 'remote@devbox' });
    expect(command(there, 's')).toEqual({ kind: 'skip', id: 'remote@devbox' });
    const away = aRemoteSession({ id: 'remote', ...asks }, { isAway: true, seenAt: now - 180_000 });
    const gone = withSnapshot(emptyBoard, [away]);
    for (const key of ['enter', 's', 'd', 'z', 'a', 'm', 'e', 't']) {
      expect(press(gone, key, now)).toMatchObject({ command: null, board: { entry: null } });
      expect(after(gone, key).notice).toBe('devbox is away: no heartbeat for 3 min.');
    }
  });

  test('the last message of a session of another host is loaded for its row, and only for that', () => {
    const row = aRemoteSession({ id: 'remote', state: 'waiting', reason: 'stopped' });
    const board = withSnapshot(emptyBoard, [row]);
    expect(elsewhereToLoad(board, now)).toEqual({ id: 'remote@devbox', seq: row.seq });
    const detail = {
      line: 'Done.',
      text: 'Done.',
      cut: 0,
      tool: null,
      questions: [],
      agent: null,
      request: null,
    };
    const loaded = withDetails(board, row.seq, { ...row, detail }, now);
    expect(loaded.sessions.get('remote@devbox')?.detail?.line).toBe('Done.');
    expect(elsewhereToLoad(loaded, now)).toBeNull();
    expect(withDetails(board, row.seq - 1, { ...row, detail }, now)).toBe(board);
    // Its host goes away while the answer is on its way.
    const away = { host: 'b', name: 'devbox', isAway: true, seenAt: 0 };
    const late = withDetails(withChanges(board, [{ ...row, fleet: away }]), row.seq, { ...row, detail }, now);
    expect(late.sessions.get('remote@devbox')).toMatchObject({ detail, fleet: { isAway: true } });
    expect(elsewhereToLoad(six, now)).toBeNull();
  });

  test('s, d and z defer waiting sessions only; z asks for a duration', () => {
    expect(command(six, 'j', 's')).toEqual({ kind: 'skip', id: 'second' });
    expect(command(six, 'd')).toEqual({ kind: 'dismiss', id: 'first' });
    expect(command(six, '4', 's')).toBeNull();
    expect(after(six, '4', 's').notice).toBe('The session is not waiting.');
    expect(command(six, 'z', 'enter')).toEqual({ kind: 'snooze', id: 'first', seconds: 600 });
    expect(command(six, 'z', 'ctrl-u', '2', 'h', 'enter')).toEqual({
      kind: 'snooze',
      id: 'first',
      seconds: 7_200,
    });
    expect(command(six, 'z', 'x', 'enter')).toBeNull();
    expect(after(six, 'z', 'x', 'enter').notice).toContain('not a duration');
    expect(after(six, 'z', 'escape').entry).toBeNull();
  });

  test('letters typed into the filter are not commands, and Esc clears it', () => {
    const board = after(six, '/', 's', 'h', 'o', 'q', 'backspace');
    expect([board.filter, names(board)]).toEqual(['sho', ['works']]);
    expect(names(after(board, 'enter'))).toEqual(['works']);
    expect(names(after(board, 'enter', 'escape')).length).toBe(5);
    expect(command(six, '/', 'ctrl-c')).toEqual({ kind: 'quit' });
  });

  test('any key closes the help', () => {
    expect(after(six, '?').help).toBe(true);
    expect([after(six, '?', 'q').help, command(six, '?', 'q')]).toEqual([false, null]);
  });
});

test('the selected row is always visible', () => {
  for (let at = 0; at < 200; at++) {
    const first = firstShown(at, 200, 15);
    expect(at >= first && at < first + 15 && first >= 0 && first + 15 <= 200).toBe(true);
  }
  expect(firstShown(2, 3, 15)).toBe(0);
});

test('R resumes ended sessions only, after a question', () => {
  const id = 'aaaaaaaa-0000-4000-8000-000000000001';
  const board = (state: 'ended' | 'working') =>
    withSnapshot(emptyBoard, [aSession({ id, state, reason: state === 'ended' ? 'exit' : null })]);
  const asked = press(board('ended'), 'R', 0);
  expect(asked).toMatchObject({ command: null, board: { entry: { kind: 'confirm', action: 'resume' } } });
  expect(press(asked.board, 'enter', 0).command).toBeNull();
  expect(press(asked.board, 'enter', boardLimits.confirmDelay).command).toEqual({ kind: 'resume', id });
  expect(press(board('working'), 'R', 0)).toMatchObject({
    command: null,
    board: { notice: expect.any(String) },
  });
});
