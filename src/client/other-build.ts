/** A daemon of another build than this command, as after `npm update`. */
import { statSync } from 'node:fs';
import { programFile } from '../program-file.ts';
import { build, daemonBuild } from '../version.ts';
import { clean } from './text.ts';

/**
 * Compares the build of a daemon with that of this command. Builds of one version have no order: there a daemon is older if it was
 * started before this command was installed.
 */
export const buildAge = (
  theirs: string,
  startedAt: number | null,
  own = { build, installedAt: installedAt() },
): 'same' | 'older' | 'newer' | 'other' => {
  if (theirs === own.build) return 'same';
  const order = compareVersions(theirs, own.build);
  if (order !== 0) return order < 0 ? 'older' : 'newer';
  // The first daemons named no build.
  if (!theirs.includes('+')) return 'older';
  return startedAt !== null && startedAt < own.installedAt ? 'older' : 'other';
};

/** Prints once that the daemon is another build, and what to do. */
export const noteOtherBuild = (theirs: string, startedAt: number | null = null): void => {
  if (daemonBuild.other !== null || theirs === build) return;
  daemonBuild.other = theirs;
  const what = `drover: the daemon is version ${clean(theirs)}, this command is ${build}.`;
  const hint =
    buildAge(theirs, startedAt) === 'newer'
      ? 'Update this command with `npm install -g drover`.'
      : 'Restart it with `drover restart`.';
  process.stderr.write(`${what} ${hint}\n`);
};

const compareVersions = (one: string, other: string): number => {
  const [a, b] = [one, other].map(text =>
    (/^\d+\.\d+\.\d+/.exec(text)?.[0] ?? '0.0.0').split('.').map(Number),
  );
  for (const n of [0, 1, 2]) {
    const difference = (a?.[n] ?? 0) - (b?.[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** When this program was put where it is. */
const installedAt = (): number => {
  try {
    return statSync(programFile()).ctimeMs;
  } catch {
    return 0;
  }
};
