/** The fleet, on a machine that has joined one. Nothing of it is loaded elsewhere. */
import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../contract/caller.ts';
import type { FleetStatus, FleetSummary, Invite } from '../../contract/fleet.ts';
import { otherHosts } from '../../contract/other-hosts.ts';
import type { Session } from '../../contract/session.ts';
import type { AnswerContent, Command } from '../../fleet/command/command.ts';
import { DroverError } from '../../contract/error.ts';
import type { BrokerSupervisor } from '../../fleet/broker/supervise-broker.ts';
import type { Enrolment } from '../../fleet/enrol/open-enrolment.ts';
import { statusOf } from '../../fleet/fleet-status.ts';
import type { Fleet } from '../../fleet/open-fleet.ts';
import type { Peers } from '../../fleet/peers.ts';
import type { Tunnels } from '../../fleet/ssh/tunnels.ts';
import { limits } from '../../limits.ts';
import type { Commit } from '../../live/loop.ts';
import type { Streams } from '../../live/streams.ts';
import { shown } from '../../session/memory.ts';
import { isQueued } from '../../session/queue/queue.ts';
import type { Call } from '../../server/call.ts';
import { followOutlines } from '../../server/handlers/outlines.ts';
import type { Core } from '../core.ts';

export interface FleetPartDeps {
  streams: Streams;
  /** The other hosts, before a fleet is joined: for tests. */
  peers?: Peers | undefined;
}

export type Dispatch = (command: Command, caller: Caller) => Promise<AnswerContent>;

export const openFleetPart = (core: Core, { streams, ...given }: FleetPartDeps) => {
  const { paths, env, loop, store, clock, log } = core;
  const startedAt = clock.now();
  let fleet: Fleet | null = null;
  let enrolment: Enrolment | null = null;
  let tunnels: Tunnels | null = null;
  let supervisor: BrokerSupervisor | null = null;
  let stopHosting: (() => void) | null = null;
  let close: (() => Promise<void>) | null = null;
  let peers: Peers | null = given.peers ?? null;
  let dispatch: Dispatch | null = null;
  /** Opening and closing run one at a time. */
  let last: Promise<void> = Promise.resolve();
  const changeListeners: (() => void)[] = [() => streams.publishFleet()];
  loop.sessionIndex.onRemove(id => fleet?.drop([id]));

  const notify = (): void => {
    for (const listener of changeListeners) listener();
  };

  const open = async (): Promise<void> => {
    if (!existsSync(paths.fleetFile)) return;
    const [
      { openFleet },
      { readMembership },
      { openCommandKeys },
      { openEnrolment },
      { superviseBroker },
      { peersOf },
      { Tunnels },
    ] = await Promise.all([
      import('../../fleet/open-fleet.ts'),
      import('../../fleet/membership.ts'),
      import('../../fleet/command/command-keys.ts'),
      import('../../fleet/enrol/open-enrolment.ts'),
      import('../../fleet/broker/supervise-broker.ts'),
      import('../../fleet/peers.ts'),
      import('../../fleet/ssh/tunnels.ts'),
    ]);
    const membership = readMembership(paths);
    if (!membership) return;
    const keys = await openCommandKeys(paths.fleetCommands, clock.now, log.error);
    const opened = await openFleet({
      membership,
      rosterFile: paths.fleetRoster,
      home: paths.home,
      epoch: epochOf(store),
      startedAt,
      sessions: () => loop.sessionIndex.current().filter(isOwn),
      session: id => {
        const session = loop.sessionIndex.get(id);
        return session && shown(session);
      },
      waiting: () => loop.sessionIndex.live().filter(session => isOwn(session) && isQueued(session)).length,
      lastSeq: () => store.log.lastSeq(),
      events: (after, rows) => store.log.read({ after, rows, bytes: limits.stream.replayBytes }),
      keys,
      dispatch: (command, caller) => {
        if (!dispatch) throw new Error('The fleet was opened before the daemon.');
        return dispatch(command, caller);
      },
      onSessions: sessions => streams.publishRemote(sessions),
      onChange: notify,
      now: clock.now,
      onError: log.error,
    });
    fleet = opened;
    const common = { membership, fleet: opened, onError: log.error };
    const keeping = superviseBroker({ ...common, paths, env, onChange: notify });
    supervisor = keeping;
    const opening = openEnrolment({
      ...common,
      file: paths.fleetInvitations,
      admit: (entry, enrol) => keeping.admit(entry, enrol),
      now: clock.now,
    });
    enrolment = opening;
    const kept = new Tunnels({ env, clock, onChange: notify, onBroker: () => keeping.onReachable() });
    kept.set(membership);
    tunnels = kept;
    close = async () => {
      kept.close();
      keeping.close();
      opening?.close();
      await opened.close();
      keys.close();
    };
    if (membership.role !== 'worker') {
      peers = peersOf(opened);
      streams.setRemoteSessions({
        sessions: () => opened.view.sessions(),
        summary: () => summaryOf(statusOf(opened, kept, keeping, clock.now())),
        watch: () => opened.view.watch(),
      });
    }
    log.info('fleet', { fleet: membership.fleet, host: membership.host.id, role: membership.role });
  };
  const shut = async (): Promise<void> => {
    const ending = close;
    fleet = null;
    enrolment = null;
    peers = null;
    tunnels = null;
    supervisor = null;
    close = null;
    streams.setRemoteSessions(null);
    streams.endOutlines();
    await ending?.();
    notify();
  };
  const admin = (): Enrolment => {
    if (!fleet) throw new DroverError('not_joined');
    if (!enrolment) throw new DroverError('refused', 'Only an admin of the fleet can do this.');
    return enrolment;
  };
  /** Takes over changed rights and SSH places without a new connection. Returns false when more has changed. */
  const applyInPlace = async (): Promise<boolean> => {
    if (!fleet) return false;
    const { readMembership } = await import('../../fleet/membership.ts');
    const read = readMembership(paths);
    if (!read) return false;
    const { accept, ssh } = read;
    if (JSON.stringify({ ...fleet.membership, accept, ssh }) !== JSON.stringify(read)) return false;
    Object.assign(fleet.membership, { accept, ssh });
    tunnels?.set(fleet.membership);
    return true;
  };
  /** Keeps the broker that this machine runs for another one, if it does. */
  const host = async (): Promise<void> => {
    stopHosting?.();
    stopHosting = null;
    if (!existsSync(paths.hostedBrokerFile)) return;
    const { superviseHostedBroker } = await import('../../fleet/broker/supervise-hosted-broker.ts');
    stopHosting = superviseHostedBroker({ paths, env, onError: log.error });
  };
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.catch(() => {}).then(work);
    return last;
  };
  return {
    name: 'fleet',
    /** The fleet; null where this machine has joined none. */
    get fleet(): Fleet | null {
      return fleet;
    },
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
    status: () => statusOf(fleet, tunnels, supervisor, clock.now()),
    /** How many sessions wait on other hosts that are online. */
    waitingOnOtherHosts: () => (fleet ? waitingOn(fleet) : 0),
    handlers: {
      readFleet: () => statusOf(fleet, tunnels, supervisor, clock.now()),
      followFleet: (call: Call) => followOutlines(fleet, streams, call),
      reloadFleet: async () => {
        await inTurn(async () => {
          await host();
          if (await applyInPlace()) return;
          await shut();
          await open();
        });
        return { ok: true as const };
      },
      inviteHost: ({ body }: Call<Invite>) => admin().invite(body),
      revokeHost: ({ params: { id } }: Call) => admin().revoke(id),
    },
    onCommit: (commit: Commit) => fleet?.onCommit(commit),
    start: () =>
      inTurn(async () => {
        await host();
        await open();
      }),
    close: () =>
      inTurn(async () => {
        stopHosting?.();
        await shut();
      }),
  };
};

const waitingOn = ({ hosts, roster }: Fleet): number =>
  hosts
    .all()
    .filter(({ card: { host } }) => roster.get(host) !== null && !hosts.isAway(host))
    .reduce((sum, { card }) => sum + card.waiting, 0);

const summaryOf = ({ connection, since, problem, hosts }: FleetStatus): FleetSummary => ({
  connection,
  since,
  problem,
  hosts: otherHosts(hosts),
});

/** Whether a session runs on this machine, as far as this machine itself has seen. */
const isOwn = ({ host, origin }: Session): boolean => host === null && origin === null;

/** The id of this database, in which sequence numbers are unique. */
const epochOf = ({ facts }: Core['store']): string => {
  const known = facts.read('epoch');
  if (known && 'id' in known && typeof known.id === 'string') return known.id;
  const id = randomUUID();
  facts.save('epoch', { id });
  return id;
};
