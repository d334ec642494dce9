/** Replays the corpus of one version into a fresh home and compares what it leads to with what it led to when it was recorded. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { awaitEmptySpool } from '../rig/log.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';
import { changed } from './changes.ts';
import { fileOf, readCorpus } from './corpus.ts';
import { distinct, type Outcome, readOutcome } from './outcome.ts';
import { renamed } from './renames.ts';
import { setStage } from './stage.ts';

const outcomeFile = (version: string): string => fileOf(`outcome-${version}.jsonl`);

/** One fact a line: the part of the outcome that it belongs to, its key where the part has keys, and the value. */
type Fact = { part: keyof Outcome; key?: string; value: unknown };

export const writeOutcome = (version: string, outcome: Outcome): void => {
  const facts = (Object.keys(outcome) as (keyof Outcome)[]).flatMap((part): Fact[] => {
    const whole = outcome[part];
    if (Array.isArray(whole)) return whole.map(value => ({ part, value }));
    return Object.entries(whole).map(([key, value]) => ({ part, key, value }));
  });
  writeFileSync(outcomeFile(version), facts.map(fact => `${JSON.stringify(fact)}\n`).join(''));
};

/** The recorded outcome, with the names of today. */
export const expectedOutcome = (version: string): Outcome => {
  const facts = readFileSync(outcomeFile(version), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Fact)
    .map(fact => ({ ...fact, value: renamed(fact.value) }));
  const list = (wanted: keyof Outcome) =>
    facts.filter(({ part }) => part === wanted).map(({ value }) => value);
  const table = (wanted: keyof Outcome) =>
    Object.fromEntries(
      facts.filter(({ part }) => part === wanted).map(({ key = '', value }) => [key, value] as const),
    );
  return {
    waiting: list('waiting') as string[],
    sessions: table('sessions'),
    queue: list('queue'),
    pages: table('pages'),
    hooks: list('hooks'),
    others: distinct(list('others').map(changed)),
    frames: list('frames'),
    tmux: table('tmux'),
  };
};

/** Starts the daemon over the corpus and returns how to read what came of it so far. */
export const startReplay = async (world: World): Promise<() => Promise<Outcome>> => {
  const corpus = readCorpus(world.version);
  const stage = await setStage(world, corpus);
  // Its order was the default when the corpus was recorded.
  writeFileSync(
    join(world.droverHome, 'config.json'),
    JSON.stringify({ order: 'fifo', approvals: 'terminal' }),
  );
  const daemon = await world.daemon();
  await awaitEmptySpool(world);
  return () => readOutcome(world, daemon, corpus, stage);
};

/** Reads until all is as expected; what still differs after a while is returned as it is. */
export const settledOutcome = async (read: () => Promise<Outcome>, expected: Outcome): Promise<Outcome> => {
  let last = await read();
  const isThere = () => isDeepStrictEqual(last, expected);
  await until(
    15_000,
    () => 'something differs',
    async () => {
      if (isThere()) return true;
      last = await read();
      return isThere() || undefined;
    },
  ).catch(() => {});
  return last;
};
