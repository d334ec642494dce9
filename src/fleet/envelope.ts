/**
 * Signed messages. A receiver trusts the signature and nothing else: neither the broker nor the subject proves who sent a
 * message. An envelope is one line `drover1 <kind> <from> <signature>`, then the body as JSON. The signature covers the fleet,
 * the kind and the sender too, so that a message can serve as nothing else and in no other fleet.
 */
import type { KeyObject } from 'node:crypto';
import type * as z from 'zod';
import { signBytes, verifyBytes } from './keys.ts';

export const envelopeKinds = ['row', 'host', 'roster', 'log', 'do', 'done', 'join', 'joined'] as const;
export type EnvelopeKind = (typeof envelopeKinds)[number];

/** A message whose signature has not been checked. */
export interface Envelope {
  kind: EnvelopeKind;
  /** The id of the claimed sender; `fleet` for the key of the fleet. */
  from: string;
  signature: Buffer;
  text: string;
}

export const fleetSender = 'fleet';

/** Signs a body. */
export const seal = (
  fleet: string,
  kind: EnvelopeKind,
  from: string,
  key: KeyObject,
  body: object,
): Buffer => {
  const text = JSON.stringify(body);
  const signature = signBytes(signedBytes(fleet, kind, from, text), key).toString('base64url');
  return Buffer.from(`drover1 ${kind} ${from} ${signature}\n${text}`);
};

/** Parses a message; null when it is not an envelope of a known version. */
export const readEnvelope = (bytes: Uint8Array): Envelope | null => {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const cut = whole.indexOf(10);
  if (cut < 0 || cut > 300) return null;
  const match = /^drover1 ([a-z]+) ([a-z2-7]{16}|fleet) ([A-Za-z0-9_-]{86})$/.exec(
    whole.toString('latin1', 0, cut),
  );
  if (!match) return null;
  const [, kind, from, signature] = match as unknown as [string, EnvelopeKind, string, string];
  if (!envelopeKinds.includes(kind)) return null;
  return {
    kind,
    from,
    signature: Buffer.from(signature, 'base64url'),
    text: whole.toString('utf8', cut + 1),
  };
};

/** Whether this key signed the envelope, for this fleet. */
export const isSignedBy = (fleet: string, envelope: Envelope, key: KeyObject): Promise<boolean> => {
  const { kind, from, text, signature } = envelope;
  return verifyBytes(signedBytes(fleet, kind, from, text), key, signature);
};

/** Parses the body; null when it does not match the schema. Check the signature first. */
export const bodyOf = <Schema extends z.ZodType>(
  schema: Schema,
  { text }: Envelope,
): z.output<Schema> | null => {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};

const signedBytes = (fleet: string, kind: string, from: string, text: string): Buffer =>
  Buffer.from(`drover1 ${fleet} ${kind} ${from}\n${text}`);
