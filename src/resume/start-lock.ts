/**
 * A session that is being started has no file yet for a second or two, and two people, or one with two keys, may ask for it
 * in that time. So whoever starts it says so first, in a file that counts for as long as its process lives.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.ts';
import type { Paths } from '../paths.ts';
import { processStart } from '../proc.ts';
import { takeLock } from '../store/lock.ts';

interface Holder {
  pid: number;
  start: string | null;
  /** Counts no longer than this, ms; null: as long as the process lives. */
  until: number | null;
}

export interface Claim {
  release: () => void;
  /** Leaves it to a process that starts the session, for as long as a start may take. */
  handOver: (pid: number) => void;
}

/** Claims a session for this process; null when another one that lives has it. */
export const claim = async ({ resuming }: Paths, id: string): Promise<Claim | null> => {
  mkdirSync(resuming, { recursive: true, mode: 0o700 });
  const lock = await waitForLock(join(resuming, 'lock'));
  try {
    const file = join(resuming, `${id}.json`);
    tidy(resuming);
    if (holderOf(file)) return null;
    hold(file, process.pid, null);
    return {
      release: () => rmSync(file, { force: true }),
      handOver: pid => hold(file, pid, Date.now() + limits.resume.startLock),
    };
  } finally {
    lock.release();
  }
};

const hold = (file: string, pid: number, until: number | null): void => {
  const holder: Holder = { pid, start: processStart(pid), until };
  writeFileSync(file, JSON.stringify(holder), { mode: 0o600 });
};

/** What a holder that was killed has left behind. */
const tidy = (folder: string): void => {
  for (const name of readdirSync(folder).filter(entry => entry.endsWith('.json')))
    if (!holderOf(join(folder, name))) rmSync(join(folder, name), { force: true });
};

const holderOf = (file: string): Holder | null => {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Holder;
    const lives = holder.start !== null && processStart(holder.pid) === holder.start;
    return lives && (holder.until === null || Date.now() < holder.until) ? holder : null;
  } catch {
    return null;
  }
};

const waitForLock = async (file: string): Promise<{ release: () => void }> => {
  const deadline = Date.now() + limits.daemon.startTimeout;
  for (;;) {
    const lock = await takeLock(file);
    if (lock) return lock;
    if (Date.now() > deadline) throw new Error(`${file} is held by another process that does not let go`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
};
