/** Read facts about processes: from /proc on Linux; on macOS from ps, which is untested. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { uptime } from 'node:os';

/** Return the start of a process as an opaque string, which with the pid identifies it. Null when it is gone or exiting. */
export const processStart = (pid: number): string | null => {
  if (process.platform !== 'linux') return startByPs(pid);
  try {
    const [state, , , , , , flags, ...rest] = statFields(pid);
    const isExiting = state === 'Z' || state === 'X' || (Number(flags) & pfExiting) !== 0;
    return isExiting ? null : (rest[12] ?? null);
  } catch {
    return null;
  }
};

/** The kernel's flag for an exiting process. A large one takes milliseconds to exit, but runs no program any more. */
const pfExiting = 0x4;

/** Read the fields of /proc/<pid>/stat from the third on. Throws when the process is gone. */
const statFields = (pid: number): string[] => {
  const stat = readProc(`/proc/${pid}/stat`);
  // The command's name is in parentheses and may contain anything, so count the fields after it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** Read a short file of /proc. These are read often, so they share one buffer and their size is not checked. */
const readProc = (path: string): string => {
  const fd = openSync(path, 'r');
  try {
    return procBytes.toString('latin1', 0, readSync(fd, procBytes, 0, procBytes.length, 0));
  } finally {
    closeSync(fd);
  }
};

const procBytes = Buffer.alloc(4096);

/** A process and its controlling terminal. */
export interface Terminal {
  pid: number;
  /** Its process group. */
  group: number;
  /** Its controlling terminal, as an opaque string; empty for none. */
  tty: string;
  /** The process group in the foreground of that terminal. */
  foreground: number;
}

/** Read the terminal of a process; null when it is gone. */
export const terminalOf = (pid: number): Terminal | null => {
  try {
    if (process.platform !== 'linux') return terminalByPs(pid);
    const [, , group, , tty = '0', foreground] = statFields(pid);
    return { pid, group: Number(group), tty: tty === '0' ? '' : tty, foreground: Number(foreground) };
  } catch {
    return null;
  }
};

const terminalByPs = (pid: number): Terminal => {
  const words = execFileSync('ps', ['-o', 'pgid=,tpgid=,tty=', '-p', String(pid)], { encoding: 'utf8' });
  const [group, foreground, tty = ''] = words.trim().split(/\s+/);
  return { pid, group: Number(group), tty: /^\?+$/.test(tty) ? '' : tty, foreground: Number(foreground) };
};

/**
 * Return when a process started, in ms since the epoch, to about a second; null where the platform does not tell. It is
 * counted from our own start by the current clock, so it follows when the clock is set, as the times of sessions do.
 */
export const startedAt = (pid: number): number | null => {
  const ticks = process.platform === 'linux' ? Number(processStart(pid) ?? Number.NaN) : Number.NaN;
  if (Number.isNaN(ticks) || Number.isNaN(own.ticks)) return null;
  const ownStart = Date.now() - (uptime() * 1_000 - own.uptime) - own.age;
  // USER_HZ is 100 on every Linux that Node runs on.
  return ownStart + (ticks - own.ticks) * 10;
};

/** This process: its start in ticks since boot, and its age and the machine's uptime at import. */
const own = {
  ticks: process.platform === 'linux' ? Number(processStart(process.pid) ?? Number.NaN) : Number.NaN,
  uptime: uptime() * 1_000,
  age: process.uptime() * 1_000,
};

/** Identify the current boot of the machine; empty where the platform does not tell. */
export const bootId = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
};

/** Check whether a pid was reused: its process started after the last event of the one that we know. */
export const isReusedPid = (pid: number, lastEvent: number): boolean => {
  const started = startedAt(pid);
  return started !== null && started > lastEvent + 2_000;
};

/** Return the inode of this process's pid namespace; empty where the platform has none. */
export const pidNamespace = (): string => {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return '';
  }
};

/** Check whether a process has this pid, with one cheap system call. `processStart` tells whether it is the same one. */
export const exists = (pid: number): boolean => isFound(() => process.kill(pid, 0));

/**
 * Check whether a program runs under this pid. A zombie accepts signals but runs none, until its parent reaps it.
 * Costs four times as much as `exists`.
 */
export const isRunning = (pid: number): boolean =>
  process.platform === 'linux' ? isFound(() => readlinkSync(`/proc/${pid}/exe`)) : exists(pid);

const isFound = (check: () => unknown): boolean => {
  try {
    check();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ESRCH';
  }
};

/** List the pids of all processes; null where the platform cannot do so cheaply. */
export const processIds = (): Set<number> | null => {
  if (process.platform !== 'linux') return null;
  return new Set(readdirSync('/proc').flatMap(name => (/^\d/.test(name) ? [Number(name)] : [])));
};

const startByPs = (pid: number): string | null => {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
};

/** Return the short name of a process; null when it is gone. */
export const processName = (pid: number): string | null => {
  try {
    if (process.platform === 'linux')
      return Buffer.from(readProc(`/proc/${pid}/comm`), 'latin1')
        .toString()
        .trim();
    return (
      execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' })
        .trim()
        .split('/')
        .pop() || null
    );
  } catch {
    return null;
  }
};

/** Read the arguments of a process, with its program; empty when they cannot be read. */
export const processArgs = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
};

/** Read only these variables from a process's environment; empty when it cannot be read. */
export const processEnv = <Name extends string>(
  pid: number,
  names: readonly Name[],
): Partial<Record<Name, string>> => {
  const found: Partial<Record<Name, string>> = {};
  try {
    for (const entry of readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')) {
      const cut = entry.indexOf('=');
      const name = names.find(wanted => wanted === entry.slice(0, cut));
      if (name) found[name] = entry.slice(cut + 1);
    }
  } catch {
    // It has exited, or belongs to another user.
  }
  return found;
};

/** List the descendants of a process, nearest first. */
export const descendants = (pid: number, depth = 4): number[] => {
  if (depth === 0) return [];
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
    return [...children, ...children.flatMap(child => descendants(child, depth - 1))];
  } catch {
    return [];
  }
};

/** List a process and its ancestors, nearest first; empty when it is gone or the platform does not tell. */
export const lineage = (pid: number): number[] => {
  const found: number[] = [];
  for (let at = pid; at > 1 && found.length < 32; ) {
    found.push(at);
    try {
      at = Number(statFields(at)[1]);
    } catch {
      return at === pid ? [] : found;
    }
  }
  return found;
};
