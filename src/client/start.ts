/** Starts the daemon in the background and waits until it is up. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Status } from '../contract/api.ts';
import { DroverError } from '../contract/error.ts';
import { programFile } from '../program-file.ts';
import { limits } from '../limits.ts';
import { type Env, isDemoHome, type Paths } from '../paths.ts';
import { daemonEnvironment, readPassedNames } from '../config/passed-variables.ts';
import { errorOf } from './call.ts';
import { prepareHome } from '../files/prepare-home.ts';
import { processArgs } from '../platform/processes.ts';
import { buildAge, noteOtherBuild } from './other-build.ts';
import { isStarting, readyDaemon } from './running.ts';
import { registeredPid, stopDaemon } from './stop.ts';

/** Called with how far a daemon that is starting has come, as a sentence. */
export type OnStarting = (text: string) => void;

/**
 * Starts the daemon detached from this terminal and waits until it answers. With `onStarting` it waits for as long as the daemon
 * reads its log.
 */
export const startDaemon = async (
  paths: Paths,
  env: Env,
  port?: string,
  onStarting?: OnStarting,
): Promise<Status> => {
  if (isDemoHome(paths.home))
    throw new DroverError('daemon_down', 'This demo has ended.', 'Start another with `drover demo`.');
  prepareHome(paths);
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
    const status = await readyDaemon(paths, onStarting).catch((error: unknown) => {
      complaint = error;
      return null;
    });
    if (isStarting(complaint)) {
      renameSync(output, join(paths.log, 'start.log'));
      throw complaint;
    }
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

/** Starts the daemon if none is running, and replaces one of an older build. */
export const ensureDaemon = async (paths: Paths, env: Env, onStarting?: OnStarting): Promise<Status> => {
  const running = await readyDaemon(paths, onStarting);
  if (!running) return startDaemon(paths, env, undefined, onStarting);
  return (await replaceOlder(paths, env, running, onStarting)) ?? running;
};

/** Replaces a daemon of an older build, as `drover restart` does. Null: it is not older, or must be replaced by hand. */
export const replaceOlder = async (
  paths: Paths,
  env: Env,
  { url, version, startedAt, pid }: Pick<Status, 'url' | 'version' | 'startedAt' | 'pid'>,
  onStarting?: OnStarting,
): Promise<Status | null> => {
  // In this order: it removes its registration before it exits. One that is gone is replaced by another command.
  const isToStay = !isReplaceable(pid) && registeredPid(paths) === pid;
  if (buildAge(version, startedAt) !== 'older' || isDemoHome(paths.home) || isToStay) {
    noteOtherBuild(version, startedAt);
    return null;
  }
  await stopDaemon(paths, true, pid);
  // Other commands may do the same at this moment.
  const other = await readyDaemon(paths, onStarting);
  return other ?? startDaemon(paths, env, url === null ? undefined : new URL(url).port, onStarting);
};

/** Whether a daemon started in the background takes its place: one in a container, or for other hosts, was started otherwise. */
const isReplaceable = (pid: number): boolean => {
  const args = processArgs(pid);
  return (
    args.includes('up') && !args.some(arg => /^--(?:host|allow-host|behind-tls|i-understand)\b/.test(arg))
  );
};

/** The error that a daemon printed when it refused to start. */
const startErrorIn = (output: string): DroverError | null => {
  const line = output.split('\n').find(text => text.startsWith('{"error":'));
  return line ? errorOf(line) : null;
};
