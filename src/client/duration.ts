/** Parses durations such as 90s, 10min, 2h, 1d. */

const units = { s: 1_000, min: 60_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds; null if it is not a duration. */
export const durationOf = (given: string): number | null => {
  const match = /^(\d+)\s*(s|min|m|h|d|w)$/.exec(given);
  return match ? Number(match[1]) * units[match[2] as keyof typeof units] : null;
};
