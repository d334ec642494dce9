/** Versions of Claude Code: how they compare, and up to which one everything was tested. */

/** The newest version on which every story passes (`supported` of test/rig/cli.ts). */
export const newestTested = '2.1.328';

/** Whether text begins with three numbers, as every version of the CLI does. */
export const isVersion = (text: string): boolean => /^\d+\.\d+\.\d+/.test(text);

/** Negative when `a` is older. Compares only the three numbers. */
export const compareVersions = (a: string, b: string): number => {
  const [left, right] = [numbers(a), numbers(b)];
  const at = left.findIndex((part, i) => part !== right[i]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
};

/** Whether a version is newer than every tested one. */
export const isUntested = (version: string | null): version is string =>
  version !== null && isVersion(version) && compareVersions(version, newestTested) > 0;

/** The untested ones among versions, oldest first. */
export const untestedOf = (versions: Iterable<string | null>): string[] =>
  [...new Set(versions)].filter(isUntested).sort(compareVersions);

const numbers = (version: string): number[] =>
  version.split(/[.+-]/, 3).map(part => Number.parseInt(part, 10) || 0);
