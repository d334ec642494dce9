/**
 * Lock a session while it is being started. Claude Code writes its session file only after a second or two, and another start
 * may be requested in the meantime. The lock is a file that is valid while its process is alive.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';
import { descendants, isSameProcess, processName, processStart } from '../platform/processes.ts';
import { pollUntil } from '../poll-until.ts';
import { takeLock } from '../store/lock.ts';

interface Holder {
  pid: number;
  start: string | null;
  /** Expiry in ms; null for as long as the process is alive. */
  until: number | null;
}

export interface StartLock {
  release: () => void;
  /** Pass the lock to the process that starts the session, for as long as a start may take. */
  handOver: (pid: number) => void;
}

/** Lock a session for this process; null when another live process holds the lock. */
export const takeStartLock = async (
  { resuming }: Paths,
  id: string,
  { now }: Clock = systemClock,
): Promise<StartLock | null> => {
  mkdirSync(resuming, { recursive: true, mode: 0o700 });
  const lock = await waitForLock(join(resuming, 'lock'));
  try {
    const file = join(resuming, `${id}.json`);
    removeStale(resuming, now());
    if (readHolder(file, now())) return null;
    writeHolder(file, process.pid, null);
    return {
      release: () => rmSync(file, { force: true }),
      handOver: pid => writeHolder(file, pid, now() + limits.resume.startLock),
    };
  } finally {
    lock.release();
  }
};

/** Remove the lock of a session that has started and ended since: the shell in its pane may be alive still. */
export const removeStartLock = ({ resuming }: Paths, id: string): void =>
  rmSync(join(resuming, `${id}.json`), { force: true });

const writeHolder = (file: string, pid: number, until: number | null): void => {
  const holder: Holder = { pid, start: processStart(pid), until };
  writeFileSync(file, JSON.stringify(holder), { mode: 0o600 });
};

/** Remove locks of processes that have exited. */
const removeStale = (folder: string, now: number): void => {
  for (const name of readdirSync(folder).filter(entry => entry.endsWith('.json')))
    if (!readHolder(join(folder, name), now)) rmSync(join(folder, name), { force: true });
};

const readHolder = (file: string, now: number): Holder | null => {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Holder;
    if (!isSameProcess(holder.pid, holder.start)) return null;
    return holder.until === null || isStarting(holder.pid, holder.until, now) ? holder : null;
  } catch {
    return null;
  }
};

/** Whether a start may still be in progress. The shell of a pane outlives the CLI that it started, so its lock also expires. */
const isStarting = (pid: number, until: number, now: number): boolean => {
  if (now >= until) return false;
  const age = now - (until - limits.resume.startLock);
  return (
    age < limits.resume.cliStartTimeout ||
    [pid, ...descendants(pid)].some(one => processName(one) === 'claude')
  );
};

const waitForLock = async (file: string): Promise<{ release: () => void }> => {
  const lock = await pollUntil(() => takeLock(file), limits.daemon.startTimeout, 10);
  if (!lock) throw new Error(`timed out waiting for ${file}, which another process has locked`);
  return lock;
};
