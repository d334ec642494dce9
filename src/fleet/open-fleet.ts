/** This host's part in the fleet: publishes its own sessions; as a seat, also shows and drives those of other hosts. */
import { randomUUID } from 'node:crypto';
import type { AnswerContent, Command } from './command/command.ts';
import { type RemoteAnswer, type RemoteCall, sendCommand } from './command/send-command.ts';
import { type CommandKeys, serveCommands } from './command/serve-commands.ts';
import type { Caller } from '../contract/caller.ts';
import { DroverError } from '../contract/error.ts';
import type { AcceptedRights, RosterEntry } from '../contract/fleet.ts';
import type { Session } from '../contract/session.ts';
import type { Event } from '../contract/event.ts';
import type { Commit } from '../live/loop.ts';
import type { Bus } from './bus.ts';
import { type CardFacts, type CardFactsDeps, cardFacts } from './publish/card-facts.ts';
import { FleetView } from './fleet-view.ts';
import { Hosts } from './hosts.ts';
import { type Cursor, OutlineReader, type ReadBatch } from './outlines/outline-reader.ts';
import { publicKeyOf, secretKeyOf } from './keys.ts';
import { limits } from '../limits.ts';
import { isHomeOf } from './machine.ts';
import { acceptedFrom, type Membership } from './membership.ts';
import { openBus } from './nats/nats-bus.ts';
import { Publishing } from './publish/publishing.ts';
import { retry } from './retry.ts';
import { type Member, Roster } from './roster.ts';
import { RosterPublisher } from './publish/roster-publisher.ts';
import { sessionsIn } from './row.ts';
import { streamsOf } from './streams.ts';
import { type Subjects, subjectsOf } from './subjects.ts';

export interface FleetDeps extends CardFactsDeps {
  membership: Membership;
  /** The file of the roster. */
  rosterFile: string;
  home: string;
  session: (id: string) => Session | undefined;
  /** Events of the log after this one, in order. */
  events: (after: number, rows: number) => Event[];
  keys: CommandKeys;
  /** Executes a call from another host. */
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
  /** What this host reports about itself. */
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
  /** Signs an entry of the roster and publishes it; admins only. False: a removed host is published later. */
  enrol: (entry: RosterEntry) => Promise<boolean>;
  /** Reads the outlines of all hosts after the cursor, until the returned function is called. */
  readOutlines: (cursor: Cursor, onBatch: (batch: ReadBatch) => void | Promise<void>) => () => void;
  close: () => Promise<void>;
}

export const openFleet = async (deps: FleetDeps): Promise<Fleet> => {
  const { membership, now, onError, onChange } = deps;
  const { fleet, host, role, certificate, authorities, login, servers } = membership;
  const subjects = subjectsOf(fleet);
  const fleetKey = publicKeyOf(membership.fleetKey);
  const own = publicKeyOf(host.key.public);
  if (!fleetKey || !own) throw new DroverError('bad_fleet', 'A key in fleet.json is not an Ed25519 key.');
  const secret = secretKeyOf(host.key.secret);
  const fleetSecret = membership.fleetSecret === null ? null : secretKeyOf(membership.fleetSecret);
  const key = { secret, public: own };
  const roster = await Roster.open(fleet, fleetKey, deps.rosterFile);
  const counts = { rejected: 0 };
  const onRejected = () => void counts.rejected++;
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
  const instance = randomUUID();
  const facts = () => cardFacts(deps, roster.get(host.id)?.name ?? host.name, instance);
  const publishing = new Publishing({
    ...common,
    ...deps,
    read: deps.events,
    share: membership.share,
    isAtHome: isHomeOf(membership.machine, deps.home),
    facts,
    onChange: () => {
      // The original executes the commands: a copy would execute them once more.
      if (publishing.problem !== null) stopCommands();
      onChange();
    },
  });
  const rosterPublisher = new RosterPublisher({ ...common, fleetSecret });
  const hosts = new Hosts({
    ...common,
    onChange: id => {
      view.onHost(id);
      onChange();
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
        maxBytes: limits.fleet.detailsBytes,
      });
      return sessionsIn(json);
    },
  });
  const accepts = (member: Member) => acceptedFrom(membership, member.host, member.role);
  const isRevoked = () => roster.isRevoked(host.id);
  let stopServing: (() => void) | null = null;
  let isClosed = false;

  const followRoster = bus.follow(subjects.rosterStream, subjects.allRoster, async ({ bytes }) => {
    if (!(await roster.take(bytes)) && !roster.isKnown(bytes)) onRejected();
  });
  roster.readFrom(followRoster);
  const stopCommands = (): void => {
    stopServing?.();
    stopServing = null;
  };
  /** A revoked host stops taking part and leaves the broker for good. */
  const stopRevoked = (): void => {
    publishing.stopPublishing(removed);
    stopCommands();
    bus.giveUp(removed);
  };
  if (isRevoked()) stopRevoked();
  roster.onChange(member => {
    if (member.host === host.id && member.isRevoked) stopRevoked();
    view.onHost(member.host);
    onChange();
  });

  const takePart = async (): Promise<void> => {
    if (fleetSecret || membership.broker) {
      for (const stream of streamsOf(subjects, membership.replicas)) await bus.ensureStream(stream);
      await rosterPublisher.restore();
    }
    await followRoster.caughtUp;
    if (isClosed || isRevoked()) return;
    if (role !== 'worker') hosts.start();
    // Execute nothing until it is known that this home is not a copy.
    const isPublishing = await publishing.start();
    if (!isPublishing || isClosed || publishing.problem !== null) return;
    stopServing ??= serveCommands({
      ...common,
      secret,
      accepts,
      keys: deps.keys,
      dispatch: deps.dispatch,
    });
  };
  let wasConnected = false;
  bus.onState(({ connection }) => {
    const isConnected = connection === 'connected';
    if (isConnected && !wasConnected)
      void retry(
        takePart,
        () => !isClosed && bus.state.connection === 'connected',
        error => onError('The fleet could not be joined', error),
      );
    if (!isConnected && wasConnected) publishing.stop();
    wasConnected = isConnected;
    onChange();
  });

  return {
    membership,
    bus,
    subjects,
    roster,
    hosts,
    view,
    counts,
    get problem() {
      return publishing.problem ?? bus.state.problem;
    },
    get published() {
      return publishing.published;
    },
    onCommit: commit => publishing.onCommit(commit),
    drop: ids => publishing.drop(ids),
    facts,
    accepts,
    send,
    enrol: entry => rosterPublisher.publish(entry),
    readOutlines: (cursor, onBatch) => {
      const reader = new OutlineReader({ ...common, onBatch }, cursor);
      void reader.start();
      return () => reader.stop();
    },
    close: async () => {
      isClosed = true;
      stopCommands();
      view.stop();
      hosts.stop();
      await publishing.close();
      followRoster.stop();
      await bus.close();
    },
  };
};

const removed =
  'This host was removed from the fleet. Run `drover fleet leave`, then `drover fleet join` with a new token.';
