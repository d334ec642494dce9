import { expect, test } from 'vitest';
import type { FleetSummary } from '../contract/fleet.ts';
import type { Session } from '../contract/session.ts';
import { aRemoteSession } from '../testing/remote-session.ts';
import { type Frame, openTestServer } from '../testing/server.ts';

const isFleet = ({ event }: Frame): boolean => event === 'fleet';
const isState = ({ event }: Frame): boolean => event === 'state';
const parsed = ({ data }: Frame) => JSON.parse(data) as FleetSummary & { sessions: Session[] };

const withFleet = async () => {
  const server = await openTestServer();
  let summary: FleetSummary = {
    connection: 'connected',
    since: 1,
    problem: null,
    hosts: [{ name: 'devbox', isAway: false, seenAt: null }],
  };
  let watchers = 0;
  const { streams } = server;
  streams.setRemoteSessions({
    sessions: () => [aRemoteSession({ state: 'waiting', reason: 'stopped' })],
    summary: () => summary,
    watch: () => {
      watchers++;
      return () => watchers--;
    },
  });
  const change = (next: Partial<FleetSummary>) => {
    summary = { ...summary, ...next };
    streams.publishFleet();
  };
  return { ...server, streams, change, watchers: () => watchers };
};

test('a reader of everything gets the sessions of other hosts, then which hosts there are, and every change of that', async () => {
  const { follow, change } = await withFleet();
  const stream = await follow('/events?only=state');
  expect(parsed(await stream.next(isState)).sessions).toMatchObject([{ host: 'devbox' }]);
  await stream.next(frame => isFleet(frame) && parsed(frame).connection === 'connected');
  change({ hosts: [{ name: 'devbox', isAway: true, seenAt: 5 }] });
  const away = await stream.next(frame => isFleet(frame) && parsed(frame).hosts[0]?.isAway === true);
  expect(parsed(away).hosts).toEqual([{ name: 'devbox', isAway: true, seenAt: 5 }]);
  change({ connection: 'unreachable', since: 9 });
  expect(parsed(await stream.next(frame => isFleet(frame) && parsed(frame).since === 9))).toMatchObject({
    connection: 'unreachable',
  });
});

test('with scope=local nothing of the fleet is sent or read', async () => {
  const { follow, change, watchers, streams } = await withFleet();
  const local = await follow('/events?only=state&scope=local');
  expect(parsed(await local.next(isState)).sessions).toEqual([]);
  expect(watchers()).toBe(0);
  const all = await follow('/events?only=state');
  change({ since: 7 });
  await all.next(frame => isFleet(frame) && parsed(frame).since === 7);
  streams.publishRemote([aRemoteSession({ state: 'working' })]);
  await all.next(frame => isState(frame) && parsed(frame).sessions[0]?.state === 'working');
  expect(local.frames.filter(isFleet)).toEqual([]);
  expect(local.frames.filter(isState)).toHaveLength(1);
});

test('when the fleet is left, readers are told that there is none', async () => {
  const { follow, streams } = await withFleet();
  const stream = await follow('/events?only=state');
  await stream.next(frame => isFleet(frame) && parsed(frame).connection === 'connected');
  streams.setRemoteSessions(null);
  const left = await stream.next(frame => isFleet(frame) && parsed(frame).connection === 'none');
  expect(parsed(left).hosts).toEqual([]);
});
