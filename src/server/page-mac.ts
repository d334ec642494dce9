/** The MAC that a page and the daemon use, and the digest of a body. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const macOf = (key: string | Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

export const isMac = (key: string | Buffer, text: string, given: string): boolean => {
  const [wanted, found] = [Buffer.from(macOf(key, text)), Buffer.from(given)];
  return wanted.length === found.length && timingSafeEqual(wanted, found);
};

export const newNonce = (): string => randomBytes(16).toString('base64url');

/** The digest of a body, as a page sends it; empty for an empty body. */
export const bodyDigest = (bytes: Buffer): string =>
  bytes.length === 0 ? '' : createHash('sha256').update(bytes).digest('base64url');
