/**
 * The fleet that this machine has joined: its connection, the broker, tunnels and invitations. Loaded only where `fleet.json`
 * exists.
 */
import { randomUUID } from 'node:crypto';
import type { Caller } from '../contract/caller.ts';
import type { FleetStatus, FleetSummary } from '../contract/fleet.ts';
import { otherHosts } from '../contract/other-hosts.ts';
import type { Session } from '../contract/session.ts';
import { superviseBroker } from '../fleet/broker/supervise-broker.ts';
import type { AnswerContent, Command } from '../fleet/command/command.ts';
import { openCommandKeys } from '../fleet/command/command-keys.ts';
import { type Enrolment, openEnrolment } from '../fleet/enrol/open-enrolment.ts';
import { statusOf } from '../fleet/fleet-status.ts';
import { type Membership, readMembership } from '../fleet/membership.ts';
import { type Fleet, openFleet } from '../fleet/open-fleet.ts';
import { type Peers, peersOf } from '../fleet/peers.ts';
import { Tunnels } from '../fleet/ssh/tunnels.ts';
import { limits } from '../limits.ts';
import type { Streams } from '../live/streams.ts';
import { shown } from '../session/memory.ts';
import { isQueued } from '../session/queue/queue.ts';
import type { Core } from './core.ts';

/** Executes a call from another host. */
export type Dispatch = (command: Command, caller: Caller) => Promise<AnswerContent>;

export interface JoinedFleetDeps {
  startedAt: number;
  streams: Pick<Streams, 'publishRemote' | 'setRemoteSessions'>;
  dispatch: Dispatch;
  /** A host came or went, or the connection changed. */
  onChange: () => void;
}

export interface JoinedFleet {
  readonly fleet: Fleet;
  /** Null unless this host is an admin. */
  readonly enrolment: Enrolment | null;
  /** The other hosts; null on a worker. */
  readonly peers: Peers | null;
  status: () => FleetStatus;
  /** Takes over changed rights and SSH places without a new connection. Returns false when more has changed. */
  applyInPlace: () => boolean;
  close: () => Promise<void>;
}

/** Opens the fleet; null when the file of the membership cannot be used. */
export const openJoinedFleet = async (core: Core, deps: JoinedFleetDeps): Promise<JoinedFleet | null> => {
  const { paths, env, clock, log } = core;
  const { streams, onChange } = deps;
  const membership = readMembership(paths);
  if (!membership) return null;
  const keys = await openCommandKeys(paths.fleetCommands, clock.now, log.error);
  const fleet = await openFleet({ ...factsFrom(core, deps), membership, keys });
  const common = { membership, fleet, onError: log.error };
  const broker = superviseBroker({ ...common, paths, env, onChange });
  const enrolment = openEnrolment({
    ...common,
    file: paths.fleetInvitations,
    admit: (entry, enrol) => broker.admit(entry, enrol),
    now: clock.now,
  });
  const tunnels = new Tunnels({ env, clock, onChange, onBroker: () => broker.onReachable() });
  tunnels.set(membership);
  const status = () => statusOf(fleet, tunnels, broker, clock.now());
  const isWorker = membership.role === 'worker';
  if (!isWorker)
    streams.setRemoteSessions({
      sessions: () => fleet.view.sessions(),
      summary: () => summaryOf(status()),
      watch: () => fleet.view.watch(),
    });
  log.info('fleet', { fleet: membership.fleet, host: membership.host.id, role: membership.role });
  return {
    fleet,
    enrolment,
    peers: isWorker ? null : peersOf(fleet),
    status,
    applyInPlace: () => {
      const read = readMembership(paths);
      if (!read || !canApplyInPlace(membership, read)) return false;
      Object.assign(membership, { accept: read.accept, ssh: read.ssh });
      tunnels.set(membership);
      return true;
    },
    close: async () => {
      tunnels.close();
      broker.close();
      enrolment?.close();
      await fleet.close();
      keys.close();
    },
  };
};

/** What the fleet takes from this daemon, and reports to it. */
const factsFrom = (
  { paths, loop, store, clock, log }: Core,
  { startedAt, streams, dispatch, onChange }: JoinedFleetDeps,
) => ({
  rosterFile: paths.fleetRoster,
  home: paths.home,
  epoch: epochOf(store),
  startedAt,
  sessions: () => loop.sessionIndex.current().filter(isOwn),
  session: (id: string) => {
    const session = loop.sessionIndex.get(id);
    return session && shown(session);
  },
  waiting: () => loop.sessionIndex.live().filter(session => isOwn(session) && isQueued(session)).length,
  lastSeq: () => store.log.lastSeq(),
  events: (after: number, rows: number) => store.log.read({ after, rows, bytes: limits.stream.replayBytes }),
  dispatch,
  onSessions: (sessions: Session[]) => streams.publishRemote(sessions),
  onChange,
  now: clock.now,
  onError: log.error,
});

/** Whether the two are the same but for rights and SSH places. */
const canApplyInPlace = (membership: Membership, read: Membership): boolean =>
  JSON.stringify({ ...membership, accept: read.accept, ssh: read.ssh }) === JSON.stringify(read);

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
