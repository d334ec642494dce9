/** A moment as people give it. */
import { DroverError } from '../contract/error.ts';

/** A date, or an age such as 30d, 12h, 90min. */
export const momentOf = (given: string, flag: string): number => {
  const age = /^(\d+)\s*(min|h|d|w)$/.exec(given);
  const unit = { min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
  const time = age ? Date.now() - Number(age[1]) * unit[age[2] as keyof typeof unit] : Date.parse(given);
  if (Number.isNaN(time))
    throw new DroverError(
      'usage',
      `${JSON.stringify(given)} is no date and no age.`,
      `For example --${flag} 30d, or --${flag} 2026-01-31.`,
    );
  return time;
};
