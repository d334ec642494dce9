/** Whether a reader of a stream sees a difference between two versions of a session. */
import { isDeepStrictEqual } from 'node:util';
import type { Session } from '../contract/session.ts';

/** Fields that change with almost every event, and the fold's own, which readers never get. */
const ignored: ReadonlySet<string> = new Set(['touched', 'seq', 'memory', 'names']);

export const differs = (before: Session | undefined, after: Session): boolean => {
  if (!before) return true;
  const old = before as Record<string, unknown>;
  for (const [field, value] of Object.entries(after))
    if (!ignored.has(field) && !isEqual(old[field], value)) return true;
  return false;
};

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && typeof other === 'object' && isDeepStrictEqual(one, other));
