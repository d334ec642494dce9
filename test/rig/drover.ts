/** The built product: its daemon as a child of the story. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, utimes } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './within.ts';
import type { World } from './world.ts';

/** What `drover` runs; DROVER_TEST_MAIN names another build, such as an installed package. */
export const MAIN =
  process.env.DROVER_TEST_MAIN ?? fileURLToPath(new URL('../../dist/main.js', import.meta.url));

export interface DaemonOptions {
  /** 0 is a free one. */
  port?: number;
  env?: Record<string, string>;
  args?: string[];
  /** A program that runs the one after it, such as `unshare`. */
  inside?: string[];
  /** Another program than the built one. */
  main?: string;
  /** Any hook may start another one after this one was killed. Otherwise only the story does, and sessions and commands that start. */
  revivable?: boolean;
  /** Called with the pid, before it answers. */
  started?: (pid: number) => void;
}

export interface Daemon {
  url: string;
  token: string;
  pid: number;
  /** Ends it as a person would, and returns its exit code. */
  stop: () => Promise<number | null>;
  /** Kills it. Also waits for the end of one that was killed: its connections close before its lock is released. */
  kill9: () => Promise<void>;
  /** What it has written to stdout and stderr so far. */
  said: () => string;
}

/** Starts `drover up --foreground` and waits until it answers. */
export async function startDaemon(
  world: World,
  options: DaemonOptions = {},
  started: (child: ChildProcess) => void = () => {},
): Promise<Daemon> {
  const { port = 0, env = {}, args = [], main = world.main, inside = [], revivable = false } = options;
  if (!revivable) await forbidRevival(world);
  const [command = '', ...words] = [
    ...inside,
    process.execPath,
    main,
    'up',
    '--foreground',
    '--port',
    String(port),
    ...args,
  ];
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const child = spawn(command, words, { cwd: world.home, env: world.env(env), stdio });
  started(child);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const { pid } = child;
  if (pid === undefined) throw new Error('The daemon did not start.');
  options.started?.(pid);

  // It takes 0.3 s; on a machine loaded thirty times over, 15 s were too short.
  const url = await until(
    60_000,
    () => `the daemon is not up; it said:\n${said}`,
    async () => {
      if (child.exitCode !== null)
        throw new Error(`The daemon ended with ${child.exitCode}; it said:\n${said}`);
      // In its own namespace it has another pid.
      const at = await urlOf(world, inside.length > 0 ? null : pid);
      return at !== undefined && (await isHealthy(at)) ? at : undefined;
    },
  );
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await ended;
    return code;
  };
  return {
    url,
    pid,
    token: (await readFile(join(world.droverHome, 'token'), 'utf8')).trim(),
    stop: () => end('SIGTERM'),
    async kill9() {
      await end('SIGKILL');
    },
    said: () => said,
  };
}

/** Hooks start a killed daemon once a minute, counted from the time of this folder (src/hook/emit.sh). */
async function forbidRevival({ droverHome }: World): Promise<void> {
  const mark = join(droverHome, 'revived');
  const later = new Date(Date.now() + 86_400_000);
  await mkdir(mark, { recursive: true, mode: 0o700 });
  await utimes(mark, later, later);
}

async function urlOf(world: World, pid: number | null): Promise<string | undefined> {
  const text = await readFile(join(world.droverHome, 'daemon.json'), 'utf8').catch(() => '{}');
  const daemon = JSON.parse(text) as { pid?: number; url?: string };
  return pid === null || daemon.pid === pid ? daemon.url : undefined;
}

function isHealthy(url: string): Promise<boolean> {
  return new Promise(resolve => {
    get(`${url}/healthz`, response => {
      response.resume();
      resolve(response.statusCode === 200);
    }).on('error', () => resolve(false));
  });
}
