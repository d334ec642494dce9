/** `--check`: whether a run can work here, link by link. */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { limits } from '../limits.ts';
import type { Env } from '../paths.ts';
import { createPrivate } from '../private-file.ts';
import { endServer, startPrivateServer } from '../tmux/server/private-server.ts';
import { abandonedRuns, removeAbandonedRuns } from './cli/abandoned-runs.ts';
import { Relay } from './turn/relay.ts';
import { makeFifo, makeRunDir, type RunDir, removeRunDir, writeRelay } from './cli/run-dir.ts';

export interface Check {
  what: string;
  /** Null: as it should be. */
  wrong: string | null;
  note?: string;
}

export const check = async (env: Env, claude: { path: string } | null, clean: boolean): Promise<Check[]> => {
  const dir = makeRunDir(env);
  try {
    return [
      {
        what: 'claude',
        ...(claude ? await version(claude.path, env) : { wrong: 'there is no claude on PATH' }),
      },
      { what: 'relay hook and FIFO, there and back', wrong: await failing(() => roundTrip(dir, env)) },
      { what: 'private tmux server', wrong: await failing(() => terminal(dir, env)) },
      await left(env, clean),
    ];
  } finally {
    removeRunDir(dir);
  }
};

const version = (path: string, env: Env): Promise<Omit<Check, 'what'>> =>
  new Promise(done => {
    execFile(path, ['--version'], { env, timeout: 20_000 }, (error, stdout) =>
      done(error ? { wrong: error.message } : { wrong: null, note: `${path} ${stdout.trim()}` }),
    );
  });

const roundTrip = async (dir: RunDir, env: Env): Promise<void> => {
  await makeFifo(dir, env);
  writeRelay(dir, {});
  let relay: Relay | undefined;
  try {
    await new Promise<void>((done, fail) => {
      const timer = setTimeout(() => fail(new Error('nothing came through')), 5_000);
      relay = new Relay(dir.fifo, payload => {
        clearTimeout(timer);
        if (payload === '{"probe":1}') done();
        else fail(new Error(`something else came through: ${payload}`));
      });
      const child = execFile(dir.hook, ['stop'], { env: { PATH: env.PATH } }, error => error && fail(error));
      child.stdin?.end('{"probe":1}\n');
    });
  } finally {
    relay?.close();
    rmSync(dir.fifo, { force: true });
  }
};

const terminal = async (dir: RunDir, env: Env): Promise<void> => {
  createPrivate(dir.start, 'sleep 5\n', 0o600);
  await startPrivateServer({ socket: dir.socket, script: dir.start, cwd: '/', env: { PATH: env.PATH } });
  await endServer(dir.socket);
};

const left = async (env: Env, clean: boolean): Promise<Check> => {
  const what = 'leftovers of killed runs';
  if (clean)
    return {
      what,
      wrong: null,
      note: `${(await removeAbandonedRuns(env, limits.print.leftoverClean)).length} removed`,
    };
  const found = abandonedRuns(env, limits.print.leftoverAge);
  return found.length
    ? { what, wrong: null, note: `${found.length}, the next run sweeps them: ${found.join(', ')}` }
    : { what, wrong: null, note: 'none' };
};

const failing = async (task: () => Promise<void>): Promise<string | null> => {
  try {
    await task();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};
