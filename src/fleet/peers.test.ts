import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { aSession } from '../testing/session.ts';
import type { RemoteAnswer, RemoteCall } from './command/send-command.ts';
import type { Fleet } from './open-fleet.ts';
import { peersOf } from './peers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const members = [
  { host: 'aaaa', name: 'laptop' },
  { host: 'bbbb', name: 'devbox' },
];

const seat = () => {
  const state = { connection: 'connected', isAway: false, isSeen: true };
  const looks = vi.fn(() => new Promise<void>(() => {}));
  const send = vi.fn((): Promise<RemoteAnswer> => new Promise(() => {}));
  const fleet = {
    membership: { host: { id: 'aaaa' } },
    roster: {
      byName: (name: string) => members.find(member => member.name === name) ?? null,
      get: (id: string) => members.find(({ host }) => host === id) ?? null,
    },
    hosts: {
      isAway: () => state.isAway,
      isSilent: () => state.isAway,
      skewOf: () => 500,
      get: () => (state.isSeen ? { seenAt: 7 } : null),
    },
    view: { startReading: looks, sessions: () => [aSession()], named: () => [] },
    bus: { state },
    send,
  };
  return { state, looks, send, peers: peersOf(fleet as unknown as Fleet) };
};

const call: RemoteCall = {
  route: 'sendMessage',
  params: { id: 'x' },
  caller: { kind: 'cli', name: null, session: null },
};

test('hosts are found by name and id; this one has no skew and is never away', () => {
  const { peers, state } = seat();
  state.isAway = true;
  expect(peers.host('devbox')).toMatchObject({
    host: 'bbbb',
    isHere: false,
    isAway: true,
    skew: 500,
    seenAt: 7,
  });
  expect(peers.host('bbbb')).toEqual(peers.host('devbox'));
  expect(peers.host('laptop')).toMatchObject({ isHere: true, isAway: false, skew: 0 });
  expect(peers.host('other')).toBeNull();
});

test('a host whose name is the id of another is not taken for it', () => {
  const { peers } = seat();
  members.unshift({ host: 'cccc', name: 'bbbb' });
  expect(peers.host('bbbb')).toMatchObject({ host: 'bbbb', name: 'devbox' });
  members.shift();
});

test('nothing is sent to a host that is away; a host that was never seen is tried', async () => {
  const { peers, state, send } = seat();
  state.isAway = true;
  await expect(peers.send('bbbb', call)).rejects.toMatchObject({ code: 'host_away' });
  expect(send).not.toHaveBeenCalled();
  state.isSeen = false;
  void peers.send('bbbb', call);
  expect(send).toHaveBeenCalledOnce();
});

test('a long wait ends when its host goes away', async () => {
  const { peers, state } = seat();
  const ended = peers.send('bbbb', { ...call, answerMs: 3_600_000 }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(limits.fleet.away);
  state.isAway = true;
  await vi.advanceTimersByTimeAsync(limits.fleet.cardSoon);
  expect(await ended).toMatchObject({ code: 'host_away', message: 'devbox is away.' });
  expect(vi.getTimerCount()).toBe(0);
});

test('a list does not wait for a broker that cannot be reached', async () => {
  const { peers, state, looks } = seat();
  state.connection = 'unreachable';
  expect(await peers.sessions()).toHaveLength(1);
  expect(looks).toHaveBeenCalledOnce();
});
