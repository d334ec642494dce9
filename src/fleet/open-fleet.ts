/** A host's part in the fleet: publishes its own sessions, and where it is a seat shows those of others and drives them. */
import { randomUUID } from 'node:crypto';
import { type AnswerContent } from './command/command.ts';
import { type RemoteAnswer, type RemoteCall, sendCommand } from './command/send-command.ts';
import { type CommandKeys, serveCommands } from './command/serve-commands.ts';
import type { Caller } from '../contract/caller.ts';
import { DroverError } from '../contract/error.ts';
import type { RosterEntry } from '../contract/fleet.ts';
import { SessionList } from '../contract/api.ts';
import type { Session } from '../contract/session.ts';
import type { Event } from '../contract/event.ts';
import { limits } from '../limits.ts';
import type { Commit } from '../live/loop.ts';
import { version } from '../version.ts';
import type { Bus, StreamSettings } from './bus.ts';
import { type CardFacts, CardPublisher } from './card-publisher.ts';
import type { Command } from './command/command.ts';
import { fleetSender, seal } from './envelope.ts';
import { FleetView } from './fleet-view.ts';
import { Hosts } from './hosts.ts';
import { OutlinePublisher } from './outlines/outline-publisher.ts';
import { type Cursor, OutlineReader, type ReadBatch } from './outlines/outline-reader.ts';
import { publicKeyOf, secretKeyOf } from './keys.ts';
import { isHomeOf } from './machine.ts';
import type { AcceptedRights } from '../contract/fleet.ts';
import { acceptedFrom, type Membership } from './membership.ts';
import { openBus } from './nats-bus.ts';
import { type Member, Roster } from './roster.ts';
import { RowPublisher } from './row-publisher.ts';
import { type Subjects, subjectsOf } from './subjects.ts';

export interface FleetDeps {
  membership: Membership;
  /** The file with the known members. */
  rosterFile: string;
  home: string;
  /** Of the log of this host: created with its database. */
  epoch: string;
  startedAt: number;
  /** This host's own sessions that lists show. */
  sessions: () => Session[];
  session: (id: string) => Session | undefined;
  waiting: () => number;
  lastSeq: () => number;
  /** Events of the log after this one, in order. */
  events: (after: number, rows: number) => Event[];
  keys: CommandKeys;
  /** Executes a call of another host. */
  dispatch: (command: Command, caller: Caller) => Promise<AnswerContent>;
  /** Sessions of other hosts have changed. */
  onSessions: (sessions: Session[]) => void;
  /** A host came or went, or the connection changed. */
  onChange: () => void;
  now: () => number;
  onError: (message: string, error: unknown) => void;
}

export interface Fleet {
  readonly membership: Membership;
  readonly bus: Bus;
  readonly subjects: Subjects;
  readonly roster: Roster;
  readonly hosts: Hosts;
  readonly view: FleetView;
  readonly counts: { rejected: number };
  /** What this host says of itself. */
  facts: () => CardFacts;
  /** Why this host does not publish; null while it does. */
  readonly problem: string | null;
  readonly published: number;
  onCommit: (commit: Commit) => void;
  /** These sessions of this host were forgotten. */
  drop: (ids: Iterable<string>) => void;
  /** What this machine accepts from a member. */
  accepts: (member: Member) => AcceptedRights;
  send: (host: string, call: RemoteCall) => Promise<RemoteAnswer>;
  /** Signs an entry of the roster and publishes it; admins only. */
  enrol: (entry: RosterEntry) => Promise<void>;
  /** Reads the outlines of all hosts behind the cursor, until the returned function is called. */
  readOutlines: (cursor: Cursor, onBatch: (batch: ReadBatch) => void | Promise<void>) => () => void;
  close: () => Promise<void>;
}

export const openFleet = async (deps: FleetDeps): Promise<Fleet> => {
  const { membership, now, onError } = deps;
  const { fleet, host, role } = membership;
  const subjects = subjectsOf(fleet);
  const fleetKey = publicKeyOf(membership.fleetKey);
  const own = publicKeyOf(host.key.public);
  if (!fleetKey || !own) throw new DroverError('bad_fleet', 'A key in fleet.json is not an Ed25519 key.');
  const secret = secretKeyOf(host.key.secret);
  const key = { secret, public: own };
  const roster = await Roster.open(fleet, fleetKey, deps.rosterFile);
  const counts = { rejected: 0 };
  const onRejected = () => void counts.rejected++;
  let problem: string | null = null;
  let isClosed = false;

  const { certificate, authorities, login, servers } = membership;
  const bus = openBus({
    servers,
    login,
    certificate,
    authorities,
    name: `drover ${host.name}`,
    inbox: subjects.inbox(host.id),
    now,
    onError,
  });
  const common = { bus, subjects, fleet, host: host.id, key, roster, now, onError, onRejected };
  const rows = new RowPublisher({ ...common, ...deps, share: membership.share });
  const outlines = new OutlinePublisher({ ...common, epoch: deps.epoch, read: deps.events });
  const stopPublishing = (): void => {
    card.stop();
    rows.stop();
    outlines.stop();
  };
  /** Tries until it works, the connection is lost, or this host may not publish. */
  const untilDone = async (message: string, work: () => Promise<void>): Promise<void> => {
    for (let tries = 0; !isClosed && problem === null && bus.state.connection === 'connected'; tries++) {
      try {
        await work();
        return;
      } catch (error) {
        if (tries === 2) onError(message, error);
        await pause(limits.fleet.readAgain);
      }
    }
  };
  const instance = randomUUID();
  const facts = (): CardFacts => {
    const sessions = deps.sessions();
    const working = sessions.filter(({ state }) => state === 'working' || state === 'background').length;
    const live = sessions.filter(({ state }) => state !== 'ended').length;
    const { epoch, startedAt } = deps;
    const { name } = roster.get(host.id) ?? host;
    return {
      name,
      epoch,
      version,
      instance,
      startedAt,
      seq: deps.lastSeq(),
      waiting: deps.waiting(),
      working,
      sessions: live,
    };
  };
  const card = new CardPublisher({
    ...common,
    isAtHome: isHomeOf(membership.machine, deps.home),
    facts,
    onCopied: why => {
      problem = why;
      stopPublishing();
      onError('This host does not publish', new Error(why));
      deps.onChange();
    },
    onAllowed: () => {
      problem = null;
      void untilDone('Rows were not published', () => rows.start());
      if (membership.share === 'all') void untilDone('Outlines were not published', () => outlines.start());
    },
  });
  const hosts = new Hosts({
    ...common,
    onChange: id => {
      view.onHost(id);
      deps.onChange();
    },
  });
  const send = (to: string, call: RemoteCall) => sendCommand({ ...common, hosts, secret }, to, call);
  const view = new FleetView({
    ...common,
    hosts,
    onSessions: deps.onSessions,
    details: async to => {
      const { json } = await send(to, {
        route: 'listSessions',
        params: { id: '' },
        query: { state: 'waiting', scope: 'local' },
        caller: { kind: 'board', name: null, session: null },
      });
      return SessionList.parse(json).sessions;
    },
  });

  const fleetSecret = membership.fleetSecret === null ? null : secretKeyOf(membership.fleetSecret);
  const enrol = async (entry: RosterEntry): Promise<void> => {
    if (!fleetSecret) throw new DroverError('refused', 'Only an admin of the fleet can do this.');
    const bytes = seal(fleet, 'roster', fleetSender, fleetSecret, entry);
    await bus.store(subjects.roster(entry.host), bytes);
    await roster.take(bytes);
  };
  /** An admin brings back the members that a new or older broker does not know. */
  const restoreRoster = async (): Promise<void> => {
    for (const member of roster.all()) {
      const last = await bus.last(subjects.rosterStream, subjects.roster(member.host));
      const known = roster.entryOf(member.host);
      if (known && (!last || !known.equals(last.bytes))) await bus.store(subjects.roster(member.host), known);
    }
  };
  const isSeat = role !== 'worker';
  const followRoster = bus.follow(subjects.rosterStream, subjects.allRoster, async ({ bytes }) => {
    if (!(await roster.take(bytes)) && !roster.isKnown(bytes)) onRejected();
  });
  roster.onChange(member => {
    if (member.host === host.id && member.isRevoked) {
      problem = 'This host was removed from the fleet. Run `drover fleet leave`.';
      stopPublishing();
      stopServing?.();
      stopServing = null;
    }
    view.onHost(member.host);
    deps.onChange();
  });
  const accepts = (member: Member) => acceptedFrom(membership, member.host, member.role);
  let stopServing: (() => void) | null = null;
  const isRevoked = () => roster.all().some(member => member.host === host.id && member.isRevoked);

  const onConnected = async (): Promise<void> => {
    if (fleetSecret || membership.broker) {
      for (const stream of streamsOf(subjects, membership.replicas)) await bus.ensureStream(stream);
      if (fleetSecret) await restoreRoster();
    }
    await followRoster.caughtUp;
    if (isClosed || isRevoked()) return;
    stopServing ??= serveCommands({
      ...common,
      secret,
      accepts,
      keys: deps.keys,
      dispatch: deps.dispatch,
    });
    if (isSeat) hosts.start();
    await card.start();
  };
  let wasConnected = false;
  /** Begins to take part, and tries until that works: a stream may not be there yet, or a cluster elects its leader. */
  const takePart = async (): Promise<void> => {
    for (let tries = 0; !isClosed && bus.state.connection === 'connected'; tries++) {
      try {
        await onConnected();
        return;
      } catch (error) {
        if (!isClosed && tries === 2) onError('The fleet could not be joined', error);
        await pause(limits.fleet.readAgain);
      }
    }
  };
  const onState = (): void => {
    const isConnected = bus.state.connection === 'connected';
    if (isConnected && !wasConnected) void takePart();
    if (!isConnected && wasConnected) stopPublishing();
    wasConnected = isConnected;
    deps.onChange();
  };
  bus.onState(onState);

  return {
    membership,
    bus,
    subjects,
    roster,
    hosts,
    view,
    counts,
    get problem() {
      return problem ?? bus.state.problem;
    },
    get published() {
      return rows.counts.published;
    },
    onCommit: commit => {
      rows.onCommit(commit);
      card.onChange();
      outlines.onCommit();
    },
    drop: ids => rows.drop(ids),
    facts,
    accepts,
    send,
    enrol,
    readOutlines: (cursor, onBatch) => {
      const reader = new OutlineReader({ ...common, onBatch }, cursor);
      void reader.start();
      return () => reader.stop();
    },
    close: async () => {
      isClosed = true;
      stopServing?.();
      view.stop();
      hosts.stop();
      rows.stop();
      outlines.stop();
      await Promise.race([card.leave(), new Promise(resolve => setTimeout(resolve, 500).unref())]);
      followRoster.stop();
      await bus.close();
    },
  };
};

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref());

const streamsOf = (subjects: Subjects, replicas: number): StreamSettings[] => {
  const { rowAge, rowBytes, logAge, logBytes, rosterBytes } = limits.fleet;
  return [
    {
      name: subjects.rowStream,
      subjects: [subjects.allRows, subjects.allHosts],
      lastOnly: true,
      maxAgeMs: rowAge,
      maxBytes: rowBytes,
      replicas,
    },
    {
      name: subjects.rosterStream,
      subjects: [subjects.allRoster],
      lastOnly: true,
      maxAgeMs: 0,
      maxBytes: rosterBytes,
      replicas,
    },
    {
      name: subjects.logStream,
      subjects: [subjects.allLogs],
      lastOnly: false,
      maxAgeMs: logAge,
      maxBytes: logBytes,
      replicas,
    },
  ];
};
