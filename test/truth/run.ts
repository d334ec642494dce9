/**
 * `npm run truth [runs]`: runs every scenario on each version and writes docs/truth.md. No retries.
 * `npm run truth <runs> <part of a name> ['<version> <mode>']`: only those, with details of every failure; writes nothing.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { measured, oldest, type Version } from '../rig/cli.ts';
import { type Mode, play, type Scenario, type Sighting } from './scenario.ts';
import { scenarios } from './scenarios.ts';

const side = 3;
/** Details of the failure. */
const wrongFile = '.cache/truth-wrong.log';
const runs = Number(process.argv[2] ?? 1);
const part = process.argv[3];
/** Such as `2.1.328 auto`. */
const chosen = process.argv[4];

interface Played {
  scenario: Scenario;
  version: Version;
  mode: Mode;
  sightings: Sighting[];
  error: string | null;
}

/** The mode with a dialog for each change, and the one in which people have it. */
const modesOf = (version: Version): Mode[] => (version === oldest ? ['default'] : ['default', 'auto']);

const playAll = async (): Promise<Played[]> => {
  const wanted = measured.flatMap(version =>
    scenarios
      .filter(({ only, name }) => (!only || only === version) && (!part || new RegExp(part).test(name)))
      .flatMap(scenario => modesOf(version).map(mode => ({ scenario, version, mode })))
      .filter(({ version: one, mode }) => !chosen || chosen === `${one} ${mode}`),
  );
  const [crowds, others] = [true, false].map(crowd => wanted.filter(one => isCrowd(one.scenario) === crowd));
  const played: Played[] = [];
  const hand = async (queue: typeof wanted): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { scenario, version, mode } = next;
      try {
        played.push({ ...next, sightings: await play(scenario, version, mode), error: null });
      } catch (error) {
        played.push({ ...next, sightings: [], error: (error as Error).message });
        console.error(`WRONG ${version} ${mode} ${scenario.name}: ${said((error as Error).message)}`);
        appendFileSync(wrongFile, `== ${version} ${mode} ${scenario.name}\n${(error as Error).message}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: side }, () => hand(others ?? [])));
  await hand(crowds ?? []);
  return played;
};

/** The scenario that takes the whole machine runs by itself, and its latencies stand apart. */
const isCrowd = ({ name }: Scenario): boolean => name.startsWith('30 sessions');

const said = (message: string): string => (part ? message : (message.split('\n')[0] ?? ''));

const all: Played[] = [];
for (let run = 1; run <= runs; run++) {
  const played = await playAll();
  const wrong = played.filter(({ error }) => error !== null).length;
  console.log(`run ${run}: ${played.length - wrong} of ${played.length} right`);
  all.push(...played);
}

const percentile = (values: number[], p: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor((values.length * p) / 100))] ??
  Number.NaN;
const latencies = (fits: (expected: string) => boolean, crowd = false): number[] =>
  all
    .filter(({ scenario }) => isCrowd(scenario) === crowd)
    .flatMap(played => played.sightings)
    .filter(({ expected }) => fits(expected))
    .map(({ latency }) => latency);
const isDeath = (expected: string) => /ended\/(?:killed|lost)/.test(expected);
const isDialog = (expected: string) => expected === 'waiting/dialog';
const isTold = (expected: string) => !isDeath(expected) && !isDialog(expected);
const figures = (values: number[]): string =>
  `p50 ${percentile(values, 50)} ms, p95 ${percentile(values, 95)} ms (${values.length} sightings)`;
const right = all.filter(({ error }) => error === null).length;
const summary = [
  `${right} of ${all.length} right in ${runs} whole run${runs === 1 ? '' : 's'}, ${side} side by side, no retries.`,
  `Detection where a hook or a session file tells: ${figures(latencies(isTold))}.`,
  `The same with 30 sessions at once on this machine of ${availableParallelism()} cores: ${figures(latencies(isTold, true))}.`,
  `Death: at most ${Math.max(0, ...latencies(isDeath))} ms. Dialog at the start: at most ${Math.max(0, ...latencies(isDialog))} ms.`,
].join('\n');
const last = all.slice(-all.length / runs);
const rows = last
  .toSorted(
    (a, b) =>
      scenarios.indexOf(a.scenario) - scenarios.indexOf(b.scenario) ||
      a.version.localeCompare(b.version) ||
      b.mode.localeCompare(a.mode),
  )
  .map(({ scenario, version, mode, sightings: seen, error }) => {
    const expected = seen.map(sighting => sighting.expected).join(', ');
    const got = error ? `**wrong**: ${error.split('\n')[0]}` : seen.map(sighting => sighting.seen).join(', ');
    return `| ${scenario.name} | ${version} | ${mode} | ${expected} | ${got} | ${seen.map(sighting => sighting.latency).join(', ')} |`;
  });
console.log(summary);
if (part) console.log(rows.join('\n'));
else
  writeFileSync(
    'docs/truth.md',
    `# Session truth\n\nMade by \`npm run truth ${runs}\` with the real CLI. Latency is from the fact (the time that the evidence itself carries) to\na subscriber having the state, in ms.\n\n${summary}\n\n| scenario | CLI | mode | expected | seen | latency |\n|---|---|---|---|---|---|\n${rows.join('\n')}\n`,
  );
process.exit(right === all.length ? 0 : 1);
