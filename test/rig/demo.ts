/** `drover demo` without a terminal, inside a world, and the environment that it creates. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionList } from '../../src/contract/api.ts';
import type { Session } from '../../src/contract/session.ts';
import { MAIN } from './drover.ts';
import { processesOf } from './process.ts';
import { until } from './within.ts';
import type { World } from './world.ts';

export interface Demo {
  child: ChildProcess;
  url: string;
  /** The page's address, valid for one browser. */
  page: string;
  /** Its DROVER_HOME. */
  home: string;
  socket: string;
  folder: string;
  pid: number;
  /** Runs the product on it. */
  drover: (...args: string[]) => Promise<string>;
  sessions: () => Promise<Session[]>;
  /** Awaits a session that the predicate takes. */
  session: (wanted: (session: Session) => boolean, ms?: number) => Promise<Session>;
  /** Its exit code; null when a signal ended it. */
  ended: Promise<number | null>;
  /** Awaits that neither folder nor process is left. */
  gone: (ms?: number) => Promise<void>;
}

/** Starts `drover demo --json`, of this build or another, and waits for the line that it prints. */
export async function startDemo(world: World, env: Record<string, string> = {}, main = MAIN): Promise<Demo> {
  const child = spawn(process.execPath, [main, 'demo', '--json'], {
    cwd: world.home,
    env: world.env(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const told = await until(
    15_000,
    () => `the demo is not up; it said:\n${said}`,
    () =>
      said.includes('\n')
        ? (JSON.parse(said) as Pick<Demo, 'url' | 'page' | 'home' | 'socket' | 'folder' | 'pid'>)
        : undefined,
  );
  const drover = async (...args: string[]) => {
    const { code, stdout, stderr } = await world.run(process.execPath, [main, ...args], {
      env: { DROVER_HOME: told.home },
    });
    if (code !== 0) throw new Error(`drover ${args.join(' ')}: ${code} ${stderr}`);
    return stdout;
  };
  // Not with a command: the script continues while one starts.
  const sessions = async () => {
    const token = readFileSync(join(told.home, 'token'), 'utf8').trim();
    const answer = await fetch(`${told.url}/sessions`, { headers: { Authorization: `Bearer ${token}` } });
    return ((await answer.json()) as SessionList).sessions;
  };
  return {
    ...told,
    child,
    drover,
    sessions,
    session: (wanted, ms = 20_000) =>
      until(
        ms,
        () => 'there is no such session',
        async () => (await sessions()).find(wanted),
      ),
    ended,
    gone: (ms = 20_000) => awaitGone(told.folder, ms),
  };
}

/** Awaits that neither a folder nor anything that runs in it is left. */
export async function awaitGone(folder: string, ms = 20_000): Promise<void> {
  await until(
    ms,
    () => `${folder} is still there`,
    async () => (!existsSync(folder) && (await processesOf(folder)).length === 0) || undefined,
  );
}
