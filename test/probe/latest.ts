/**
 * The newest published CLI against everything that looks at it: the probe, every truth scenario, and the stories of requests and their
 * answers. They run on that version alone, whether it is supported or not.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { supported } from '../rig/cli.ts';
import { endAll } from '../rig/process.ts';
import { run } from '../rig/run.ts';
import { byVersion } from './results.ts';

/** All parts together take less than ten minutes; what is still running then has failed. */
const MOST_MS = 570_000;
/** What ends with SIGINT also ends its worlds. */
const GRACE_MS = 15_000;
const REGISTRY_MS = 30_000;
const folder = '.cache';

interface Part {
  name: string;
  command: string[];
}

const storiesReport = `${folder}/new-cli-stories.json`;

const parts: Part[] = [
  { name: 'truth', command: ['scripts/run-ts.mjs', 'test/truth/run.ts', '1', '.'] },
  {
    name: 'requests and answers',
    command: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'vitest.stories.config.ts',
      '--maxWorkers=3',
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${storiesReport}`,
      'test/requests/',
      'test/hub/menu',
      'test/sessions/truth',
    ],
  },
];

/** The newest published version; null when the registry cannot be reached. */
export const newestPublished = async (): Promise<string | null> => {
  const args = [
    'view',
    '@anthropic-ai/claude-code',
    'dist-tags.latest',
    '--fetch-retries=0',
    '--loglevel=error',
  ];
  // npm alone may inherit the environment: it needs the user's certificates and registry.
  const { code, stdout } = await run('npm', args, { env: process.env, cwd: '.', ms: REGISTRY_MS });
  const version = stdout.trim();
  return code === 0 && /^\d+\.\d+\.\d+$/.test(version) ? version : null;
};

/** Whether a release is newer than every supported one. */
export const isNewer = (version: string): boolean => supported.every(known => byVersion(known, version) < 0);

/** Runs the parts side by side on this version, and returns a line for each that failed. `spent`: what other parts took before. */
export const tryVersion = async (version: string, spent: number): Promise<string[]> => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dv-')));
  const env = { ...process.env, DROVER_TEST_CLI: version, DROVER_TEST_RUN: folder, CI: '' };
  try {
    const failed = await Promise.all(parts.map(part => play(part, env, MOST_MS - spent)));
    return failed.filter(line => line !== null);
  } finally {
    await endAll(folder);
    await rm(folder, { recursive: true, force: true });
  }
};

/** Stores what `npm test` prints at its end. */
export const report = (summary: string): void => {
  console.log(summary);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/new-cli.json`, JSON.stringify({ summary }));
};

async function play({ name, command }: Part, env: NodeJS.ProcessEnv, ms: number): Promise<string | null> {
  const began = performance.now();
  // A group of its own, because a program may be the child of another.
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], env, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += String(chunk)));
  let isLate = false;
  const end = (signal: NodeJS.Signals) => {
    isLate = true;
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
  };
  const timers = [setTimeout(() => end('SIGINT'), ms), setTimeout(() => end('SIGKILL'), ms + GRACE_MS)];
  const [code] = (await once(child, 'close')) as [number | null];
  timers.forEach(clearTimeout);
  const took = `${((performance.now() - began) / 1000).toFixed(0)} s`;
  console.log(`\n-- ${name}\n${output}-- ${name}: ${code === 0 ? 'ok' : 'FAILED'} in ${took}`);
  if (isLate) return `${name}: not finished in ten minutes`;
  if (code === 0) return null;
  return name === 'truth' ? `${name}: ${wrongScenarios(output)}` : `${name}: ${failedStories()}`;
}

const wrongScenarios = (output: string): string =>
  [...output.matchAll(/^WRONG \S+ (.*?): /gm)].map(([, name]) => name).join('; ') || 'no result';

function failedStories(): string {
  try {
    const { testResults } = JSON.parse(readFileSync(storiesReport, 'utf8')) as {
      testResults: { assertionResults: { status: string; fullName: string }[] }[];
    };
    const titles = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => fullName);
    return `${titles.length} stories failed: ${titles.join('; ')}`;
  } catch {
    return 'no result';
  }
}
