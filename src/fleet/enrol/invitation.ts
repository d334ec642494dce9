/** The text of an invitation: what a new host needs to reach the broker, check the fleet and prove that it was invited. */
import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod';
import { DroverError } from '../../contract/error.ts';
import { AcceptedRights, FleetRole, HostId, HostName } from '../../contract/fleet.ts';
import { Login } from '../membership.ts';

export const InvitationText = z.looseObject({
  fleet: HostId,
  fleetKey: z.string(),
  /** The host that made it, the only one that can answer. */
  admin: z.object({ id: HostId, name: HostName }),
  servers: z.array(z.string()).min(1),
  certificate: z.string().nullable(),
  authorities: z.string().nullable(),
  replicas: z.number().int(),
  /** The login for the request to join. At our own broker it can do nothing else. */
  login: Login,
  id: z.string(),
  secret: z.string().min(40),
  role: FleetRole,
  /** What the new host lets the admin's machine do, unless its own user says otherwise. */
  rights: AcceptedRights,
  name: HostName.nullable(),
});
export type InvitationText = z.infer<typeof InvitationText>;

const prefix = 'drover-fleet-1.';

export const writeInvitation = (invitation: InvitationText): string =>
  prefix + Buffer.from(JSON.stringify(invitation)).toString('base64url');

/** Reads a token; throws `bad_invitation`. */
export const readInvitation = (token: string): InvitationText => {
  const text = token.replaceAll(/\s/g, '');
  const broken = () =>
    new DroverError(
      'bad_invitation',
      'This is not a complete token from `drover fleet token`.',
      'Copy all of it.',
    );
  if (/^drover-fleet-(?!1\.)\d+\./.test(text))
    throw new DroverError('bad_invitation', 'This token is from a newer drover.', 'Update drover here.');
  if (!text.startsWith(prefix)) throw broken();
  try {
    return InvitationText.parse(JSON.parse(Buffer.from(text.slice(prefix.length), 'base64url').toString()));
  } catch {
    throw broken();
  }
};

/** The form in which a secret is stored. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Proves knowledge of the secret for this key and login only, so that whoever reads the request cannot use it for another. */
export const proofOf = (hash: string, parts: (string | null)[]): string =>
  createHmac('sha256', hash).update(JSON.stringify(parts)).digest('base64url');
