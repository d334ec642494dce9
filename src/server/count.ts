/** A number of things that a query asks for. */
import { DroverError } from '../contract/error.ts';

export const countOf = (given: string | null, standard: number, most: number): number => {
  const count = Number(given ?? standard);
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw new DroverError('bad_request', `A number from 1 to ${most}.`);
  return count;
};
