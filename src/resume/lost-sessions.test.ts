import { expect, test } from 'vitest';
import type { Session } from '../contract/session.ts';
import { lostSessions } from './lost-sessions.ts';

const minute = 60_000;
const now = 100 * minute;

const session = (n: number, fields: Partial<Session> = {}, pane: object = {}): Session =>
  ({
    id: `5eed000${n}`,
    state: 'ended',
    reason: 'killed',
    since: now - minute,
    headless: false,
    host: null,
    next: null,
    pane: {
      socket: '/s',
      serverPid: 7,
      id: `%${n}`,
      pid: 1,
      session: 'work',
      window: 'w',
      windowIndex: n,
      ...pane,
    },
    ...fields,
  }) as Session;

const ids = (sessions: Session[], since: number | null = null, up = 0) =>
  lostSessions(sessions, now, since, ({ pane }) => pane?.serverPid === up).map(one =>
    one.session.id.slice(-1),
  );

test('lists sessions that were live when their server exited, and none that had ended long before', () => {
  const before = session(2, { since: now - 60 * minute });
  expect(ids([session(1), before, session(3, { state: 'waiting', since: 0 })])).toEqual(['1', '3']);
  expect(ids([session(1), before], now - 90 * minute)).toEqual(['1', '2']);
  expect(ids([session(1)], null, 7)).toEqual([]);
});

test('leaves out sessions that are headless, cleared, on another host or without a pane', () => {
  const not = [
    { headless: true },
    { reason: 'clear' as const },
    { host: 'box' },
    { next: 'x' },
    { pane: null },
  ];
  expect(ids(not.map((fields, n) => session(n, fields)))).toEqual([]);
  expect(ids([session(1, { id: 'startup-1-1' })])).toEqual([]);
});

test('each server has its own time of exit', () => {
  const other = session(2, { since: now - 50 * minute }, { serverPid: 8 });
  const earlier = session(3, { since: now - 55 * minute }, { serverPid: 8 });
  const long = session(4, { since: now - 90 * minute }, { serverPid: 8 });
  expect(ids([session(1), other, earlier, long])).toEqual(['1', '2', '3']);
});

test('sorts by window, opens the second session of a window beside the first, and names missing tmux sessions', () => {
  const plan = lostSessions(
    [
      session(9, {}, { windowIndex: 2, id: '%10' }),
      session(1, {}, { windowIndex: 2, id: '%9' }),
      session(2, {}, { windowIndex: 0 }),
      session(3, {}, { session: null, window: null, windowIndex: null }),
    ],
    now,
    null,
    () => false,
  ).map(({ session: { id }, place }) => [id.slice(-1), place]);
  expect(plan).toEqual([
    ['3', { socket: '/s', session: 'claude-5eed0003', window: null, beside: false }],
    ['2', { socket: '/s', session: 'work', window: { index: 0, name: 'w' }, beside: false }],
    ['1', { socket: '/s', session: 'work', window: { index: 2, name: 'w' }, beside: false }],
    ['9', { socket: '/s', session: 'work', window: { index: 2, name: 'w' }, beside: true }],
  ]);
});
