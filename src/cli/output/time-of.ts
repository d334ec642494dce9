/** Parses dates and ages. */
import { durationOf } from '../../client/duration.ts';
import { DroverError } from '../../contract/error.ts';

/** Parses a date, or an age such as 30d, 12h, 90min. */
export const timeOf = (given: string, flag: string): number => {
  const age = durationOf(given);
  const time = age === null ? Date.parse(given) : Date.now() - age;
  if (Number.isNaN(time))
    throw new DroverError(
      'usage',
      `${JSON.stringify(given)} is neither a date nor an age.`,
      `For example --${flag} 30d, or --${flag} 2026-01-31.`,
    );
  return time;
};
