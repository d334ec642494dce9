/** The fleet, on a machine that has joined one. Nothing of it is loaded elsewhere. */
import { existsSync } from 'node:fs';
import { DroverError } from '../../contract/error.ts';
import type { Invite } from '../../contract/fleet.ts';
import type { Enrolment } from '../../fleet/enrol/open-enrolment.ts';
import { statusOf } from '../../fleet/fleet-status.ts';
import type { Fleet } from '../../fleet/open-fleet.ts';
import type { Peers } from '../../fleet/peers.ts';
import type { Commit } from '../../live/loop.ts';
import type { Streams } from '../../live/streams.ts';
import type { Call } from '../../server/call.ts';
import { followOutlines } from '../../server/handlers/outlines.ts';
import type { Core } from '../core.ts';
import { openHostedBroker } from '../hosted-broker.ts';
import type { Dispatch, JoinedFleet } from '../joined-fleet.ts';

export interface FleetPartDeps {
  streams: Streams;
  /** The other hosts, before a fleet is joined: for tests. */
  peers?: Peers | undefined;
}

export const openFleetPart = (core: Core, { streams, ...given }: FleetPartDeps) => {
  const { paths, loop, clock } = core;
  const startedAt = clock.now();
  const hostedBroker = openHostedBroker(core);
  let joined: JoinedFleet | null = null;
  let peers: Peers | null = given.peers ?? null;
  let dispatch: Dispatch | null = null;
  /** Opening and closing run one at a time. */
  let last: Promise<void> = Promise.resolve();
  const changeListeners: (() => void)[] = [() => streams.publishFleet()];
  loop.sessionIndex.onRemove(id => joined?.fleet.drop([id]));

  const notify = (): void => {
    for (const listener of changeListeners) listener();
  };
  const open = async (): Promise<void> => {
    if (!existsSync(paths.fleetFile)) return;
    const { openJoinedFleet } = await import('../joined-fleet.ts');
    joined = await openJoinedFleet(core, {
      startedAt,
      streams,
      dispatch: (command, caller) => {
        if (!dispatch) throw new Error('The fleet was opened before the daemon.');
        return dispatch(command, caller);
      },
      onChange: notify,
    });
    peers = joined?.peers ?? peers;
  };
  const shut = async (): Promise<void> => {
    const ending = joined;
    joined = null;
    peers = null;
    streams.setRemoteSessions(null);
    streams.endOutlines();
    await ending?.close();
    notify();
  };
  const admin = (): Enrolment => {
    if (!joined) throw new DroverError('not_joined');
    if (!joined.enrolment) throw new DroverError('refused', 'Only an admin of the fleet can do this.');
    return joined.enrolment;
  };
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.catch(() => {}).then(work);
    return last;
  };
  const status = () => joined?.status() ?? statusOf(null, null, null, clock.now());
  return {
    name: 'fleet',
    /** The other hosts; null if this machine is not in a fleet or is a worker. */
    get peers(): Peers | null {
      return peers;
    },
    /** How calls of other hosts are executed. */
    setDispatch: (given: Dispatch) => {
      dispatch = given;
    },
    /** Calls back when a host comes or goes, or the connection changes. */
    onChange: (listener: () => void) => void changeListeners.push(listener),
    status,
    /** How many sessions wait on other hosts that are online. */
    waitingOnOtherHosts: () => (joined ? waitingOn(joined.fleet) : 0),
    handlers: {
      readFleet: status,
      followFleet: (call: Call) => followOutlines(joined?.fleet ?? null, streams, call),
      reloadFleet: async () => {
        await inTurn(async () => {
          await hostedBroker.start();
          if (joined?.applyInPlace()) return;
          await shut();
          await open();
        });
        return { ok: true as const };
      },
      inviteHost: ({ body }: Call<Invite>) => admin().invite(body),
      revokeHost: ({ params: { id } }: Call) => admin().revoke(id),
    },
    onCommit: (commit: Commit) => joined?.fleet.onCommit(commit),
    start: () =>
      inTurn(async () => {
        await hostedBroker.start();
        await open();
      }),
    close: () =>
      inTurn(async () => {
        hostedBroker.close();
        await shut();
      }),
  };
};

const waitingOn = ({ hosts, roster }: Fleet): number =>
  hosts
    .all()
    .filter(({ card: { host } }) => roster.get(host) !== null && !hosts.isAway(host))
    .reduce((sum, { card }) => sum + card.waiting, 0);
