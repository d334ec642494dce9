import { expect, test } from 'vitest';
import { DroverError } from '../../contract/error.ts';
import type { Pane, Session } from '../../contract/session.ts';
import { emptyMemory, type Folded, noNames } from '../../session/memory.ts';
import { aSession } from '../../testing/session.ts';
import { parkIdle } from './park-idle.ts';

const hour = 3_600_000;
const pane = (id: string): Pane => ({
  socket: '/s',
  serverPid: 1,
  id,
  pid: 2,
  session: 'work',
  window: 'w',
  windowIndex: 0,
});
const folded = (more: Partial<Session>): Folded => ({
  ...aSession({ state: 'waiting', reason: 'stopped', ...more }),
  names: noNames,
  memory: emptyMemory(0),
});

test('sessions are parked after the configured idle time, unless somebody sees or has just seen them', async () => {
  const seen = pane('%9');
  const deferral = { since: 0, skipped: null, snoozed: null, dismissed: null, claim: null, notified: null };
  const sessions = [
    folded({ id: 'refused' }),
    folded({ id: 'idle' }),
    folded({ id: 'young', since: 9 * hour }),
    folded({ id: 'touched', touched: 9 * hour }),
    folded({ id: 'looked at', deferral: { ...deferral, seen: 9 * hour } }),
    folded({ id: 'in sight', pane: seen }),
    folded({ id: 'working', state: 'working', reason: null }),
  ];
  const parked: string[] = [];
  const errors: unknown[] = [];
  await parkIdle(
    8,
    { now: () => 10 * hour },
    {
      sessions: () => sessions,
      park: async ({ id }) => {
        parked.push(id);
        if (id === 'refused') throw new DroverError('refused', 'There is a draft.');
      },
      inSight: async panes => new Set(panes.filter(one => one === seen)),
      onError: (_, error) => errors.push(error),
    },
  );
  expect(parked).toEqual(['refused', 'idle']);
  expect(errors).toEqual([]);
});
