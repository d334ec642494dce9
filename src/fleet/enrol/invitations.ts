/** The invitations of an admin, by the hashes of their secrets. Each is used once. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { FleetRole, HostName } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import { writePrivate } from '../../files/private-file.ts';
import { hashOf, proofOf } from './invitation.ts';
import type { Joined, JoinRequest } from './requests.ts';

const Kept = z.object({
  id: z.string(),
  hash: z.string(),
  role: FleetRole,
  name: HostName.nullable(),
  expiresAt: z.number(),
  usedAt: z.number().nullable(),
});
type Kept = z.infer<typeof Kept>;

export type Refusal = NonNullable<Joined['refusal']>;

export class Invitations {
  private kept: Kept[];

  constructor(
    private readonly file: string,
    private readonly now: () => number,
  ) {
    this.kept = read(file);
  }

  /** Makes an invitation. Its secret is not kept. */
  add(role: FleetRole, name: string | null): { id: string; secret: string; expiresAt: number } {
    const secret = randomBytes(32).toString('base64url');
    const id = randomUUID();
    const expiresAt = this.now() + limits.fleet.invitation;
    // Expired and used ones are kept for a while, so that the refusal can say why.
    this.kept = this.kept.filter(one => one.expiresAt > this.now() - limits.fleet.rowAge);
    this.kept.push({ id, hash: hashOf(secret), role, name, expiresAt, usedAt: null });
    this.write();
    return { id, secret, expiresAt };
  }

  /** Marks an invitation as used, durably. Returns it, or why it was refused. */
  use({ invitation, proof, key, login, name }: JoinRequest): Kept | Refusal {
    const found = this.kept.find(({ id }) => id === invitation);
    if (!found) return 'unknown';
    if (!isEqual(proof, proofOf(found.hash, [found.id, key, login, name]))) return 'wrong';
    if (found.usedAt !== null) return 'used';
    if (found.expiresAt <= this.now()) return 'expired';
    found.usedAt = this.now();
    this.write();
    return found;
  }

  /** The host could not be enrolled: the invitation can be used again. */
  release(id: string): void {
    const found = this.kept.find(one => one.id === id);
    if (!found) return;
    found.usedAt = null;
    this.write();
  }

  private write(): void {
    writePrivate(this.file, JSON.stringify({ invitations: this.kept }));
  }
}

const read = (file: string): Kept[] => {
  try {
    return z.object({ invitations: z.array(Kept) }).parse(JSON.parse(readFileSync(file, 'utf8'))).invitations;
  } catch {
    return [];
  }
};

const isEqual = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};
