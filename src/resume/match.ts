/** Which session an id, or the beginning of one, names. */
import { DroverError } from '../contract/error.ts';

export type Match = { kind: 'one'; id: string } | { kind: 'several'; ids: string[] } | { kind: 'none' };

/** Digits as a person gives them, pasted or typed: white space around and dashes inside mean nothing. */
export const digitsOf = (given: string): string => {
  const digits = given.trim().toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{6,32}$/.test(digits))
    throw new DroverError(
      'bad_id',
      `${JSON.stringify(given.slice(0, 60))} is not a session id.`,
      'Give 6 hex digits of it, or more.',
    );
  return digits;
};

export const match = (digits: string, ids: Iterable<string>): Match => {
  const found = new Set<string>();
  for (const id of ids) {
    const bare = id.replaceAll('-', '');
    if (bare === digits) return { kind: 'one', id };
    if (bare.startsWith(digits)) found.add(id);
  }
  const [first, ...others] = found;
  if (first === undefined) return { kind: 'none' };
  return others.length ? { kind: 'several', ids: [...found] } : { kind: 'one', id: first };
};
