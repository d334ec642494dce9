/** `--check`: whether a run can work here, part by part. */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { limits } from '../limits.ts';
import type { Env } from '../paths.ts';
import { createPrivate } from '../files/private-file.ts';
import { endServer, startPrivateServer } from '../tmux/server/private-server.ts';
import { abandonedRuns, removeAbandonedRuns } from './cli/abandoned-runs.ts';
import { Relay } from './turn/relay.ts';
import { makeFifo, makeRunDir, type RunDir, removeRunDir, writeRelay } from './cli/run-dir.ts';

export interface Check {
  what: string;
  /** The problem; null when there is none. */
  problem: string | null;
  note?: string;
}

export const check = async (env: Env, claude: { path: string } | null, clean: boolean): Promise<Check[]> => {
  const dir = makeRunDir(env);
  try {
    return [
      {
        what: 'claude',
        ...(claude ? await version(claude.path, env) : { problem: 'claude was not found on PATH' }),
      },
      { what: 'round trip through relay hook and FIFO', problem: await problemOf(() => roundTrip(dir, env)) },
      { what: 'private tmux server', problem: await problemOf(() => startTerminal(dir, env)) },
      await checkAbandoned(env, clean),
    ];
  } finally {
    removeRunDir(dir);
  }
};

const version = (path: string, env: Env): Promise<Omit<Check, 'what'>> =>
  new Promise(done => {
    execFile(path, ['--version'], { env, timeout: 20_000 }, (error, stdout) =>
      done(error ? { problem: error.message } : { problem: null, note: `${path} ${stdout.trim()}` }),
    );
  });

const roundTrip = async (dir: RunDir, env: Env): Promise<void> => {
  await makeFifo(dir, env);
  writeRelay(dir, {});
  let relay: Relay | undefined;
  try {
    await new Promise<void>((done, fail) => {
      const timer = setTimeout(() => fail(new Error('no payload arrived')), 5_000);
      relay = new Relay(dir.fifo, payload => {
        clearTimeout(timer);
        if (payload === '{"probe":1}') done();
        else fail(new Error(`another payload arrived: ${payload}`));
      });
      const child = execFile(dir.hook, ['stop'], { env: { PATH: env.PATH } }, error => error && fail(error));
      child.stdin?.end('{"probe":1}\n');
    });
  } finally {
    relay?.close();
    rmSync(dir.fifo, { force: true });
  }
};

const startTerminal = async (dir: RunDir, env: Env): Promise<void> => {
  createPrivate(dir.start, 'sleep 5\n', 0o600);
  await startPrivateServer({ socket: dir.socket, script: dir.start, cwd: '/', env: { PATH: env.PATH } });
  await endServer(dir.socket);
};

const checkAbandoned = async (env: Env, clean: boolean): Promise<Check> => {
  const what = 'leftovers of killed runs';
  if (clean)
    return {
      what,
      problem: null,
      note: `${(await removeAbandonedRuns(env, limits.print.leftoverClean)).length} removed`,
    };
  const found = abandonedRuns(env, limits.print.leftoverAge);
  return found.length
    ? { what, problem: null, note: `${found.length}, removed by the next run: ${found.join(', ')}` }
    : { what, problem: null, note: 'none' };
};

const problemOf = async (task: () => Promise<void>): Promise<string | null> => {
  try {
    await task();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};
