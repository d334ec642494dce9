/** Serves enrolment on an admin: checks requests to join, signs entries, and removes hosts that leave. */
import type { KeyObject } from 'node:crypto';
import { DroverError } from '../../contract/error.ts';
import type { RosterEntry } from '../../contract/fleet.ts';
import type { Bus } from '../bus.ts';
import { bodyOf, type Envelope, fleetSender, isSignedBy, readEnvelope, seal } from '../envelope.ts';
import { idOfKey, publicKeyOf } from '../keys.ts';
import type { Member, Roster } from '../roster.ts';
import type { Subjects } from '../subjects.ts';
import { ownMachine, uniqueName } from './host-name.ts';
import type { Invitations, Refusal } from './invitations.ts';
import { EnrolRequest, type Joined, type JoinRequest } from './requests.ts';

export interface EnrolmentDeps {
  bus: Bus;
  subjects: Subjects;
  fleet: string;
  /** The id of this host. */
  host: string;
  fleetSecret: KeyObject;
  roster: Roster;
  invitations: Invitations;
  enrol: (entry: RosterEntry) => Promise<boolean>;
  /** Whether this home is a copy. Then the original answers, because it knows the invitations. */
  isCopy: () => boolean;
  now: () => number;
  onRejected: () => void;
  onError: (message: string, error: unknown) => void;
}

/** Serves requests to join and to leave until the returned function is called. */
export const serveEnrolment = (given: EnrolmentDeps): (() => void) => {
  const deps: ServeDeps = { ...given, joining: new Set() };
  return deps.bus.serve(deps.subjects.join, (bytes, reply) => {
    void serve(deps, bytes, reply).catch(error => deps.onError('A host could not be enrolled', error));
  });
};

/** `joining`: names of hosts that are being enrolled, and are not in the roster yet. */
type ServeDeps = EnrolmentDeps & { joining: Set<string> };

const serve = async (
  deps: ServeDeps,
  bytes: Uint8Array,
  reply: (part: Uint8Array) => void,
): Promise<void> => {
  const { fleet, fleetSecret, roster, host, onRejected, onError } = deps;
  if (deps.isCopy()) return;
  const envelope = readEnvelope(bytes);
  const request = envelope?.kind === 'join' ? bodyOf(EnrolRequest, envelope) : null;
  if (!envelope || !request) return onRejected();
  const answer = (refusal: Joined['refusal'], why: string | null = null): void => {
    const entries = refusal
      ? []
      : roster.all().map(one => roster.entryOf(one.host)?.toString('base64') ?? '');
    const joined: Joined = { to: envelope.from, refusal, why, entries };
    reply(seal(fleet, 'joined', fleetSender, fleetSecret, joined));
  };
  if (request.action === 'leave') {
    const member = roster.get(envelope.from);
    if (!member || !(await isSignedBy(fleet, envelope, member.publicKey))) return onRejected();
    // Before it is removed: the broker then ends its connection.
    answer(null);
    await removeHost(deps, member.host);
    return;
  }
  // Another admin made this invitation, and answers.
  if (request.admin !== host) return;
  try {
    const refusal = await enrol(deps, envelope, request);
    if (refusal) onRejected();
    answer(refusal);
  } catch (error) {
    onError('A host could not be enrolled', error);
    answer('failed', error instanceof DroverError ? error.message.slice(0, 500) : null);
  }
};

/** Enrols the host that asks, or returns why it cannot. */
const enrol = async (deps: ServeDeps, envelope: Envelope, request: JoinRequest): Promise<Refusal | null> => {
  const { fleet, roster, invitations, joining, enrol, now } = deps;
  const key = publicKeyOf(request.key);
  if (!key || idOfKey(request.key) !== envelope.from || roster.get(envelope.from)) return 'wrong';
  if (!(await isSignedBy(fleet, envelope, key))) return 'wrong';
  // nats-server does not start with one login for two hosts.
  if (request.login !== null && roster.all().some(({ login }) => login === request.login)) return 'wrong';
  const used = invitations.use(request);
  if (typeof used === 'string') return used;
  const name = uniqueName(used.name ?? request.name, new Set([...namesTakenBy(roster.all()), ...joining]));
  joining.add(name);
  try {
    await enrol({
      host: envelope.from,
      name,
      key: request.key,
      login: request.login,
      role: used.role,
      isRevoked: false,
      revision: revisionAfter(roster, envelope.from),
      at: now(),
    });
  } catch (error) {
    // Nothing was published. After other errors that is not certain.
    if (error instanceof DroverError && error.code === 'fleet_down') invitations.release(used.id);
    throw error;
  } finally {
    joining.delete(name);
  }
  return null;
};

/** What a new host may not be called: the names and ids of members, and what filters call this machine. */
const namesTakenBy = (members: Member[]): Set<string> =>
  new Set([
    ownMachine,
    ...members.flatMap(({ name, host, isRevoked }) => (isRevoked ? [host] : [name, host])),
  ]);

/** Revokes a host. Returns false if the other hosts will only learn of it later. */
export const removeHost = async (
  { roster, enrol, now }: Pick<EnrolmentDeps, 'roster' | 'enrol' | 'now'>,
  host: string,
): Promise<boolean> => {
  const member = roster.get(host);
  if (!member) return true;
  const { name, key, login, role } = member;
  const revision = revisionAfter(roster, host);
  return enrol({ host, name, key, login, role, isRevoked: true, revision, at: now() });
};

const revisionAfter = (roster: Roster, host: string): number =>
  1 + (roster.all().find(member => member.host === host)?.revision ?? 0);
