/**
 * Run a delivery program so that a later daemon can still read its result. A small shell around it writes its own pid and the
 * exit code into files named after the delivery. A restart in the middle of a delivery neither loses nor repeats it.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { processArgs } from '../../platform/processes.ts';

export interface ExitResult {
  /** Null when the program was killed, or left no exit code. */
  code: number | null;
  out: string;
  err: string;
}

const script =
  'umask 077; f=$1; shift; echo $$ > "$f.pid"; "$@" < "$f.in" > "$f.out" 2> "$f.err"; echo $? > "$f.end"';

/** Run the program until it exits or times out. The result stays on disk until `removeDetachedFiles`. */
export const runDetached = (
  dir: string,
  id: string,
  argv: string[],
  input: string,
  env: Env,
  ms: number,
  /** The wakes in this delivery, for the recovery after a restart. */
  wakes: string[] = [],
): Promise<ExitResult> =>
  new Promise(resolve => {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    removeDetachedFiles(dir, id);
    const file = join(dir, id);
    writeFileSync(`${file}.in`, input, { mode: 0o600 });
    writeFileSync(`${file}.of`, wakes.join('\n'), { mode: 0o600 });
    // A separate process group: it outlives the daemon, and the timeout kills its children too.
    const child = spawn('/bin/sh', ['-c', script, 'drover-wake', file, ...argv], {
      env,
      stdio: 'ignore',
      detached: true,
    });
    const timer = setTimeout(() => killGroup(child.pid), ms);
    const finish = (error: string) => {
      clearTimeout(timer);
      const result = readResult(file);
      resolve(error ? { ...result, err: error } : result);
    };
    child.on('error', error => finish(error.message));
    child.on('exit', () => finish(''));
  });

/** Wait for a delivery that an earlier daemon began; null when its program never started. */
export const awaitDetached = async (dir: string, id: string, ms: number): Promise<ExitResult | null> => {
  const file = join(dir, id);
  const pid = Number(read(`${file}.pid`));
  const deadline = performance.now() + ms;
  while (read(`${file}.end`) === '' && isRunning(pid, file)) {
    if (performance.now() > deadline) killGroup(pid);
    // It is not our child, so there is no exit event to wait for.
    await pause(limits.wake.deliveryPoll);
  }
  return pid > 0 ? readResult(file) : null;
};

/** List deliveries that were started and whose result is not recorded yet, each with its wakes. */
export const unrecordedDeliveries = (dir: string): Map<string, string[]> => {
  const names = existsSync(dir) ? readdirSync(dir).filter(name => name.endsWith('.of')) : [];
  return new Map(names.map(name => [name.slice(0, -3), read(join(dir, name)).split('\n')]));
};

const isRunning = (pid: number, file: string): boolean =>
  pid > 0 && processArgs(pid).join(' ').includes(file);

const readResult = (file: string): ExitResult => {
  const code = read(`${file}.end`).trim();
  return {
    code: code === '' ? null : Number(code),
    out: read(`${file}.out`).slice(-limits.wake.responseBytes),
    err: read(`${file}.err`).slice(-500),
  };
};

const killGroup = (pid: number | undefined): void => {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
};

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** Remove the files of a delivery, once its result is recorded. */
export const removeDetachedFiles = (dir: string, id: string): void => {
  for (const suffix of ['of', 'in', 'out', 'err', 'pid', 'end'])
    rmSync(join(dir, `${id}.${suffix}`), { force: true });
};
