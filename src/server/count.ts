/** Reads a count from a query. */
import { DroverError } from '../contract/error.ts';

export const countOf = (given: string | null, defaultCount: number, max: number): number => {
  const count = Number(given ?? defaultCount);
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new DroverError('bad_request', `Use a number from 1 to ${max}.`);
  return count;
};
