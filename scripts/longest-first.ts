/** Starts the files that took longest in the last run first, so that none of them runs alone at the end. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longer than their size says, for a clone in which nothing has run yet. */
const long =
  /\/(?:answer|deadline|drawn-dialogs|faults|limits|menu|names|requests|restore|resume|screen|truth|usage)\.story\.test\.ts$/;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = readDurations();
    const took = ({ moduleId }: TestSpecification): number =>
      durations[relative('.', moduleId)] ?? (long.test(moduleId) ? Number.POSITIVE_INFINITY : -1);
    const known = Object.values(durations).toSorted((a, b) => a - b);
    const usual = known[Math.floor(known.length / 2)] ?? 0;
    // A new file counts as one of the usual length. By size among equals, as vitest sorts them.
    const rank = (file: TestSpecification): number => (took(file) < 0 ? usual : took(file));
    return (await super.sort(files)).toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
  }
}

/** As scripts/steps.mjs keeps them. */
function readDurations(): Record<string, number> {
  try {
    return JSON.parse(readFileSync('.cache/durations.json', 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}
