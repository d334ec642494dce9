/**
 * A program that tells an agent, started so that a daemon which comes after this one can still learn how it ended: a small
 * shell around it writes its own pid and the exit code into files named by the delivery. So a restart in the middle of a
 * delivery neither loses it nor repeats it.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { processWords } from '../../proc.ts';

export interface Ended {
  /** Null: it was ended, or never told. */
  code: number | null;
  out: string;
  err: string;
}

const script =
  'umask 077; f=$1; shift; echo $$ > "$f.pid"; "$@" < "$f.in" > "$f.out" 2> "$f.err"; echo $? > "$f.end"';

/** Runs it to its end or its time. How it ended stays on disk until `removeKept`. */
export const runKept = (
  dir: string,
  id: string,
  argv: string[],
  input: string,
  env: Env,
  ms: number,
  /** The wakes that it tells of, for whoever comes after. */
  wakes: string[] = [],
): Promise<Ended> =>
  new Promise(resolve => {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    removeKept(dir, id);
    const file = join(dir, id);
    writeFileSync(`${file}.in`, input, { mode: 0o600 });
    writeFileSync(`${file}.of`, wakes.join('\n'), { mode: 0o600 });
    // A group of its own: it outlives the daemon, and its time ends its children too.
    const child = spawn('/bin/sh', ['-c', script, 'drover-wake', file, ...argv], {
      env,
      stdio: 'ignore',
      detached: true,
    });
    const timer = setTimeout(() => endGroup(child.pid), ms);
    const over = (error: string) => {
      clearTimeout(timer);
      const ended = readEnd(file);
      resolve(error ? { ...ended, err: error } : ended);
    };
    child.on('error', error => over(error.message));
    child.on('exit', () => over(''));
  });

/** What became of a delivery that an earlier daemon began; null when it never got so far as to start. */
export const keptEnd = async (dir: string, id: string, ms: number): Promise<Ended | null> => {
  const file = join(dir, id);
  const pid = Number(read(`${file}.pid`));
  const deadline = Date.now() + ms;
  while (read(`${file}.end`) === '' && isRunning(pid, file)) {
    if (Date.now() > deadline) endGroup(pid);
    // Not our child, so nothing tells of its end.
    await pause(limits.wake.deliveryPoll);
  }
  return pid > 0 ? readEnd(file) : null;
};

/** The deliveries that were begun and of which nobody has noted the end, each with its wakes. */
export const keptDeliveries = (dir: string): Map<string, string[]> => {
  const names = existsSync(dir) ? readdirSync(dir).filter(name => name.endsWith('.of')) : [];
  return new Map(names.map(name => [name.slice(0, -3), read(join(dir, name)).split('\n')]));
};

const isRunning = (pid: number, file: string): boolean => pid > 0 && processWords(pid).includes(file);

const readEnd = (file: string): Ended => {
  const code = read(`${file}.end`).trim();
  return {
    code: code === '' ? null : Number(code),
    out: read(`${file}.out`).slice(-limits.wake.responseBytes),
    err: read(`${file}.err`).slice(-500),
  };
};

const endGroup = (pid: number | undefined): void => {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    /* gone already */
  }
};

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** Once it is noted how it ended. */
export const removeKept = (dir: string, id: string): void => {
  for (const end of ['of', 'in', 'out', 'err', 'pid', 'end'])
    rmSync(join(dir, `${id}.${end}`), { force: true });
};
