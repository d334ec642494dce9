/** Reads a count from a query. */
import { DroverError } from '../contract/error.ts';

export const countOf = (given: string | null, usual: number, most: number): number => {
  const count = Number(given ?? usual);
  if (!Number.isInteger(count) || count < 1 || count > most)
    throw new DroverError('bad_request', `Use a number from 1 to ${most}.`);
  return count;
};
