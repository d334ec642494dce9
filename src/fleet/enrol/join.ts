/** Joins a fleet with an invitation, and leaves it. */
import { DroverError } from '../../contract/error.ts';
import type { AcceptedRights } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import type { Paths } from '../../paths.ts';
import { makeLogin } from '../broker/nkey.ts';
import { inviteInbox } from '../broker/permissions.ts';
import { type Bus, NoAnswer, NoReceiver } from '../bus.ts';
import { requestWithRetry } from '../request-with-retry.ts';
import { bodyOf, fleetSender, isSignedBy, readEnvelope, seal } from '../envelope.ts';
import { idOfKey, makeKey, publicKeyOf, secretKeyOf } from '../keys.ts';
import { machineOf } from '../machine.ts';
import { hasJoined, type Membership, writeMembership } from '../membership.ts';
import { Roster } from '../roster.ts';
import { subjectsOf } from '../subjects.ts';
import { type InvitationText, proofOf, hashOf } from './invitation.ts';
import { withBroker } from './reach-broker.ts';
import { Joined } from './requests.ts';

export interface JoinOptions {
  name: string;
  /** What the admin's machine may do here; what the token says by default. */
  accept: AcceptedRights | null;
}

/** Asks to join, checks the answer and writes the membership. */
export const join = async (
  paths: Paths,
  invitation: InvitationText,
  { name, accept }: JoinOptions,
): Promise<Membership> => {
  if (hasJoined(paths)) throw new DroverError('already_joined');
  const { fleet, fleetKey, admin, servers, certificate, authorities, replicas, role } = invitation;
  const publicFleetKey = publicKeyOf(fleetKey);
  if (!publicFleetKey || idOfKey(fleetKey) !== fleet)
    throw new DroverError('bad_invitation', 'This token is damaged.', 'Copy all of it.');
  const key = makeKey();
  const id = idOfKey(key.public);
  const isOwnBroker = invitation.login.kind === 'nkey';
  const login = isOwnBroker ? makeLogin() : null;
  const subjects = subjectsOf(fleet);
  const common = { servers, certificate, authorities };
  const request = {
    action: 'join',
    admin: admin.id,
    invitation: invitation.id,
    key: key.public,
    login: login?.public ?? null,
    name,
    proof: proofOf(hashOf(invitation.secret), [invitation.id, key.public, login?.public ?? null, name]),
  };
  const answer = await withBroker(
    {
      ...common,
      login: invitation.login,
      name: `drover ${name} joins`,
      inbox: isOwnBroker ? inviteInbox : subjects.inbox(id),
    },
    limits.fleet.join,
    bus =>
      ask(
        bus,
        subjects.join,
        seal(fleet, 'join', id, secretKeyOf(key.secret), request),
        limits.fleet.join,
        async bytes => {
          const envelope = readEnvelope(bytes);
          if (envelope?.kind !== 'joined' || envelope.from !== fleetSender) return null;
          const body = bodyOf(Joined, envelope);
          return body?.to === id && (await isSignedBy(fleet, envelope, publicFleetKey)) ? body : null;
        },
      ).catch(error => {
        throw error instanceof NoReceiver || error instanceof NoAnswer
          ? new DroverError(
              'host_away',
              `${admin.name}, the admin of the fleet, does not answer.`,
              refusals.failed[1],
            )
          : error;
      }),
  );
  if (answer.refusal) {
    const [message, hint] = refusals[answer.refusal];
    throw new DroverError('bad_invitation', [message, answer.why].filter(Boolean).join(' '), hint);
  }
  const roster = await Roster.open(fleet, publicFleetKey, paths.fleetRoster);
  const entries = answer.entries.map(entry => Buffer.from(entry, 'base64'));
  for (const entry of entries) await roster.take(entry, false);
  const own = roster.get(id);
  if (!own) throw new DroverError('bad_invitation', 'The admin did not list this machine as a member.');
  const membership: Membership = {
    version: 1,
    fleet,
    fleetKey,
    fleetSecret: null,
    host: { id, name: own.name, key },
    role: own.role,
    ...common,
    login: login ? { kind: 'nkey', seed: login.seed } : invitation.login,
    replicas,
    share: 'all',
    accept: own.role === role ? { [admin.id]: accept ?? invitation.rights } : {},
    ssh: {},
    broker: null,
    machine: machineOf(paths.home),
  };
  writeMembership(paths, membership);
  roster.keep();
  return membership;
};

const refusals: Record<NonNullable<Joined['refusal']>, [string, string?]> = {
  unknown: ['This token is unknown, or was made for another fleet.'],
  used: ['This token has already been used. Each token enrols one host.'],
  expired: ['This token has expired. Tokens are valid for an hour.'],
  wrong: ['This token was refused.'],
  failed: [
    'The host could not be enrolled.',
    'Nothing was changed here. Make a new token when `drover fleet ls` there shows the broker as connected.',
  ],
};

/** Tells an admin that this host leaves. Returns false when no admin could be reached. */
export const announceLeaving = async (membership: Membership): Promise<boolean> => {
  const { fleet, host, servers, certificate, authorities, login } = membership;
  const subjects = subjectsOf(fleet);
  const fleetKey = publicKeyOf(membership.fleetKey);
  if (!fleetKey) return false;
  const inbox = subjects.inbox(host.id);
  try {
    return await withBroker(
      { servers, certificate, authorities, login, name: `drover ${host.name} leaves`, inbox },
      limits.fleet.leave,
      bus =>
        ask(
          bus,
          subjects.join,
          seal(fleet, 'join', host.id, secretKeyOf(host.key.secret), { action: 'leave' }),
          limits.fleet.leave,
          async bytes => {
            const envelope = readEnvelope(bytes);
            if (envelope?.kind !== 'joined' || !(await isSignedBy(fleet, envelope, fleetKey))) return null;
            return bodyOf(Joined, envelope)?.to === host.id ? true : null;
          },
        ),
    );
  } catch {
    return false;
  }
};

/** The first answer that can be read. */
const ask = async <T>(
  bus: Bus,
  subject: string,
  bytes: Uint8Array,
  timeoutMs: number,
  read: (part: Uint8Array) => Promise<T | null>,
): Promise<T> => {
  let answer: T | null = null;
  const onPart = async (part: Uint8Array): Promise<'more' | 'done'> => {
    answer = await read(part);
    return answer === null ? 'more' : 'done';
  };
  await requestWithRetry(bus, subject, bytes, onPart, timeoutMs, () => true);
  return answer as T;
};
