/** Find the session that an id or a prefix names. */
import { DroverError } from '../contract/error.ts';

export type Match = { kind: 'one'; id: string } | { kind: 'several'; ids: string[] } | { kind: 'none' };

/** Normalise a typed or pasted id: ignore white space around it and dashes. */
export const normalizeId = (given: string): string => {
  const digits = given.trim().toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{6,32}$/.test(digits))
    throw new DroverError('bad_id', `${JSON.stringify(given.slice(0, 60))} is not a session id.`);
  return digits;
};

export const matchId = (digits: string, ids: Iterable<string>): Match => {
  const found = new Set<string>();
  for (const id of ids) {
    const normalized = id.replaceAll('-', '');
    if (normalized === digits) return { kind: 'one', id };
    if (normalized.startsWith(digits)) found.add(id);
  }
  const [first, ...others] = found;
  if (first === undefined) return { kind: 'none' };
  return others.length ? { kind: 'several', ids: [...found] } : { kind: 'one', id: first };
};
