// The steps of `npm test` and `npm run check`: what each runs, static ones side by side, and how long files of tests take.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const bin = name => `node_modules/.bin/${name}`;

/** They read the sources and start nothing: all of them run at once. */
export const staticSteps = [
  { name: 'format', command: [bin('biome'), 'format', '.'] },
  { name: 'lint', command: [bin('oxlint'), '--type-aware', '--quiet', '.'] },
  { name: 'types', command: [bin('tsc'), '-p', '.'] },
  { name: 'page-types', command: [bin('tsc'), '-p', 'src/web'] },
  { name: 'unused', command: [bin('knip')] },
];

/** A step of tests; its counts are in the file `counts` afterwards. */
export const vitest = (name, config, ...args) => ({
  name,
  command: [
    bin('vitest'),
    'run',
    '--config',
    config,
    '--reporter=default',
    '--reporter=json',
    `--outputFile=.cache/${name}.json`,
    ...args,
  ],
  counts: `.cache/${name}.json`,
});

/** Runs a command and shows its output; returns its exit status. */
export function run([command, ...args]) {
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1;
}

/** Runs steps side by side, prints the output of each when it ends, and returns the names of those that failed. */
export async function runTogether(steps) {
  const ends = await Promise.all(
    steps.map(async ({ name, command: [program, ...args] }) => {
      const began = Date.now();
      const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk));
      const status = await new Promise(resolve => {
        child.once('error', error => resolve(error.message)).once('close', code => resolve(code ?? 1));
      });
      console.log(`\n== ${name}`);
      if (status !== 0) process.stdout.write(output);
      console.log(
        `== ${name}: ${status === 0 ? 'ok' : `FAILED (${status})`} in ${seconds(Date.now() - began)}`,
      );
      return { name, status };
    }),
  );
  return ends.filter(({ status }) => status !== 0).map(({ name }) => name);
}

export const seconds = ms => `${(ms / 1000).toFixed(1)} s`;

/** How long each file of tests took when it last ran, ms. The next run starts the longest first. */
const durationsFile = '.cache/durations.json';

/** Keeps how long the files of a report took, and prints the slowest ten. */
export function keepDurations(counts) {
  const { testResults } = readJson(counts) ?? { testResults: [] };
  const took = Object.fromEntries(
    testResults
      .filter(({ assertionResults }) => assertionResults.length > 0)
      .map(({ name, startTime, endTime }) => [relative('.', name), Math.round(endTime - startTime)]),
  );
  mkdirSync('.cache', { recursive: true });
  writeFileSync(durationsFile, JSON.stringify({ ...readJson(durationsFile), ...took }, null, 1));
  const slowest = Object.entries(took)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 10);
  if (slowest.length < 10) return;
  const lines = slowest.map(([file, ms]) => `${seconds(ms).padStart(9)}  ${file}`);
  console.log(`\nThe slowest ten of ${Object.keys(took).length} files:\n${lines.join('\n')}`);
}

export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
