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
import { Participation } from './participation.ts';
import { Publishing } from './publish/publishing.ts';
import { type Member, Roster } from './roster.ts';
import { RosterPublisher } from './publish/roster-publisher.ts';
import { sessionsIn } from './row.ts';
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
  const { fleet, host } = membership;
  const subjects = subjectsOf(fleet);
  const { fleetKey, fleetSecret, key } = keysOf(membership);
  const { secret } = key;
  const roster = await Roster.open(fleet, fleetKey, deps.rosterFile);
  const counts = { rejected: 0 };
  const onRejected = () => void counts.rejected++;
  const bus = connect(deps, subjects);
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
      if (publishing.problem !== null) participation.stopCommands();
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
    details: to => readWaiting(send, to),
  });
  const accepts = (member: Member) => acceptedFrom(membership, member.host, member.role);
  const followRoster = bus.follow(subjects.rosterStream, subjects.allRoster, async ({ bytes }) => {
    if (!(await roster.take(bytes)) && !roster.isKnown(bytes)) onRejected();
  });
  roster.readFrom(followRoster);
  const participation = new Participation({
    ...common,
    membership,
    followRoster,
    hosts,
    publishing,
    rosterPublisher,
    serveCommands: () =>
      serveCommands({ ...common, secret, accepts, keys: deps.keys, dispatch: deps.dispatch }),
    onChange,
  });
  participation.start();
  roster.onChange(member => {
    participation.onMember(member);
    view.onHost(member.host);
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
      participation.close();
      view.stop();
      hosts.stop();
      await publishing.close();
      followRoster.stop();
      await bus.close();
    },
  };
};

/** The keys of a membership, ready for use. Throws `bad_fleet`. */
const keysOf = ({ fleetKey, fleetSecret, host }: Membership) => {
  const publicFleetKey = publicKeyOf(fleetKey);
  const own = publicKeyOf(host.key.public);
  if (!publicFleetKey || !own)
    throw new DroverError('bad_fleet', 'A key in fleet.json is not an Ed25519 key.');
  return {
    fleetKey: publicFleetKey,
    fleetSecret: fleetSecret === null ? null : secretKeyOf(fleetSecret),
    key: { secret: secretKeyOf(host.key.secret), public: own },
  };
};

/** Connects this host to the broker of the fleet. */
const connect = ({ membership, now, onError }: FleetDeps, subjects: Subjects): Bus => {
  const { host, certificate, authorities, login, servers } = membership;
  return openBus({
    servers,
    login,
    certificate,
    authorities,
    name: `drover ${host.name}`,
    inbox: subjects.inbox(host.id),
    now,
    onError,
  });
};

/** Reads the waiting sessions of another host, with their requests. */
const readWaiting = async (send: Fleet['send'], host: string): Promise<Session[]> => {
  const { json } = await send(host, {
    route: 'listSessions',
    params: { id: '' },
    query: { state: 'waiting', scope: 'local' },
    caller: { kind: 'board', name: null, session: null },
    maxBytes: limits.fleet.detailsBytes,
  });
  return sessionsIn(json);
};
