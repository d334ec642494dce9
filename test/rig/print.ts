/** A running `drover print`: its output, its pid for signals, and what it leaves behind. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN } from './drover.ts';
import type { Run } from './run.ts';
import { until } from './within.ts';
import type { Inside, World } from './world.ts';

export interface PrintRun {
  pid: number;
  /** The standard output so far. */
  said: () => string;
  ended: Promise<Run>;
  /** The run's folder, awaited. */
  dir: () => Promise<string>;
}

/** Starts `drover print` and does not wait for it. */
export function startPrint(
  world: World,
  args: string[],
  /** `input: null`: standard input stays open, and nothing comes. */
  inside: Omit<Inside, 'input'> & { input?: Inside['input'] | null; node?: string[] } = {},
): PrintRun {
  const { cwd = world.dir(), env = {}, input = '', node = [] } = inside;
  const child = spawn(process.execPath, [...node, MAIN, 'print', ...args], { cwd, env: world.env(env) });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdin.on('error', () => {});
  if (input !== null) child.stdin.end(input);
  const { pid = 0 } = child;
  return {
    pid,
    said: () => stdout,
    ended: new Promise(done => child.once('close', code => done({ code, stdout, stderr }))),
    dir: () =>
      until(
        20_000,
        () => `run ${pid} made no folder`,
        () => leftBehind(world).find(path => path.includes(`claude-print-${pid}-`)),
      ),
  };
}

/** The folders of runs, finished or not. */
export const leftBehind = (world: World): string[] =>
  readdirSync(join(world.root, 'tmp'))
    .filter(name => name.startsWith('claude-print-'))
    .map(name => join(world.root, 'tmp', name));

/** Runs `drover print` to its end. */
export const print = (world: World, args: string[], input = '', more: object = {}): Promise<Run> =>
  startPrint(world, args, { input, ...more }).ended;

/** Waits until no process that could use a token and no folder is left; a killed run's cleanup process needs a moment for that. */
export const awaitNothingLeft = (world: World): Promise<true> =>
  until(
    5_000,
    () => `left behind: ${leftBehind(world).join(', ') || 'a process'}`,
    async () => (leftBehind(world).length + (await world.processes()).length === 0 ? true : undefined),
  );

/** The transcript that Claude Code wrote of a session in the first project. */
export const transcriptOf = (world: World, sessionId: string): string => {
  const slug = world.dir().replace(/[^a-zA-Z0-9]/g, '-');
  return readFileSync(join(world.home, '.claude', 'projects', slug, `${sessionId}.jsonl`), 'utf8');
};
