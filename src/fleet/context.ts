/** What the parts of the fleet on this host share. */
import type { KeyObject } from 'node:crypto';
import type * as z from 'zod';
import type { Bus } from './bus.ts';
import { bodyOf, type EnvelopeKind, isSignedBy, readEnvelope } from './envelope.ts';
import type { Subjects } from './subjects.ts';

export interface FleetContext {
  bus: Bus;
  subjects: Subjects;
  /** The id of the fleet. */
  fleet: string;
  /** The id of this host. */
  host: string;
  now: () => number;
}

export interface PublisherContext extends FleetContext {
  /** The key of this host. */
  key: { secret: KeyObject; public: KeyObject };
  onError: (message: string, error: unknown) => void;
}

/** Reads back what this host has published; null when it is not its own, or damaged. */
export const readOwn = async <Schema extends z.ZodType>(
  { fleet, host, key }: Pick<PublisherContext, 'fleet' | 'host' | 'key'>,
  kind: EnvelopeKind,
  schema: Schema,
  bytes: Uint8Array,
): Promise<z.output<Schema> | null> => {
  const envelope = readEnvelope(bytes);
  if (envelope?.kind !== kind || envelope.from !== host) return null;
  return (await isSignedBy(fleet, envelope, key.public)) ? bodyOf(schema, envelope) : null;
};
