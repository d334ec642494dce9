/** Starts the daemon in the background and waits until it is up. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Status } from '../contract/api.ts';
import { DroverError } from '../contract/error.ts';
import { programFile } from '../hook/emitter.ts';
import { limits } from '../limits.ts';
import { type Env, isDemoHome, type Paths } from '../paths.ts';
import { daemonEnvironment, readPassedNames } from '../config/passed-variables.ts';
import { errorOf } from './call.ts';
import { runningDaemon } from './running.ts';

/** Starts the daemon detached from this terminal and waits until it answers. */
export const startDaemon = async (paths: Paths, env: Env, port?: string): Promise<Status> => {
  if (isDemoHome(paths.home))
    throw new DroverError('daemon_down', 'This demo has ended.', 'Start another with `drover demo`.');
  mkdirSync(paths.log, { recursive: true, mode: 0o700 });
  // One file per start: two commands that start it at once must not read each other's output.
  const output = join(paths.log, `start.${process.pid}.log`);
  const out = openSync(output, 'w', 0o600);
  const child = spawn(
    process.execPath,
    [programFile(), 'up', '--foreground', '--json', ...(port ? ['--port', port] : [])],
    {
      cwd: '/',
      detached: true,
      stdio: ['ignore', out, out],
      env: daemonEnvironment({ ...env, DROVER_HOME: paths.home }, readPassedNames(paths.config)),
    },
  );
  closeSync(out);
  let ended = false;
  child.on('exit', () => {
    ended = true;
  });
  child.unref();
  const deadline = performance.now() + limits.daemon.startTimeout;
  let complaint: unknown;
  while (performance.now() < deadline) {
    // A daemon that is still starting may answer with an error.
    const status = await runningDaemon(paths).catch((error: unknown) => {
      complaint = error;
      return null;
    });
    if (status) {
      if (status.pid === child.pid) renameSync(output, join(paths.log, 'start.log'));
      else {
        await discard(child);
        rmSync(output, { force: true });
      }
      return status;
    }
    // `already_running`: another process started it at the same time, and it is about to answer.
    if (ended && startErrorIn(readFileSync(output, 'utf8'))?.code !== 'already_running') break;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  const text = readFileSync(output, 'utf8').trim();
  rmSync(output, { force: true });
  throw (
    startErrorIn(text) ??
    complaint ??
    new DroverError(
      'failed',
      `The daemon did not start: ${text || 'it printed nothing'}`,
      `See ${paths.logFile}.`,
    )
  );
};

/** Kills a daemon that lost the race: it waits for the lock, and would start after the next `down`. */
const discard = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
};

/** Starts the daemon if none is running. */
export const ensureDaemon = async (paths: Paths, env: Env): Promise<Status> =>
  (await runningDaemon(paths)) ?? (await startDaemon(paths, env));

/** The error that a daemon printed when it refused to start. */
const startErrorIn = (output: string): DroverError | null => {
  const line = output.split('\n').find(text => text.startsWith('{"error":'));
  return line ? errorOf(line) : null;
};
