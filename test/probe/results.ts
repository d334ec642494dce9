/** Stored results of the probe, one small JSON file per version. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ProbeResult } from './facts.ts';

const folder = 'test/probe/results';

/** Versions with a stored result, oldest first. */
export const storedVersions = (): string[] =>
  readdirSync(folder)
    .flatMap(name => /^(\d+\.\d+\.\d+)\.json$/.exec(name)?.[1] ?? [])
    .sort(byVersion);

export const readResult = (version: string): ProbeResult =>
  JSON.parse(readFileSync(`${folder}/${version}.json`, 'utf8')) as ProbeResult;

export const writeResult = (result: ProbeResult): string => {
  const facts = Object.fromEntries(Object.entries(result.facts).sort(([a], [b]) => (a < b ? -1 : 1)));
  const file = `${folder}/${result.version}.json`;
  writeFileSync(file, `${JSON.stringify({ ...result, facts }, null, 2)}\n`);
  return file;
};

/** The stored version to compare with: its own, else the newest older one, else the oldest. */
export const nearestVersion = (version: string, stored: string[]): string | undefined =>
  stored.find(one => one === version) ??
  stored.filter(one => byVersion(one, version) < 0).at(-1) ??
  stored[0];

export const byVersion = (a: string, b: string): number => {
  const [left, right] = [a, b].map(one => one.split('.').map(Number));
  for (let n = 0; n < 3; n++) {
    const difference = (left?.[n] ?? 0) - (right?.[n] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};
