/** Everything that is known of processes by the platform: /proc on Linux. The macOS form asks ps and is untested. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { uptime } from 'node:os';

/** When a process started, as an opaque string: with the pid it names one process for ever. Null when it is gone or exits. */
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

/** The kernel's flag for a process that exits: a large one takes milliseconds to leave, and runs no program any more. */
const pfExiting = 0x4;

/** The fields of /proc/<pid>/stat from its third on. Throws when the process is gone. */
const statFields = (pid: number): string[] => {
  const stat = readProc(`/proc/${pid}/stat`);
  // The command's name stands in parentheses and may hold anything; the fields count from behind it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** A short file of /proc. These are read all the time: with one buffer for all of them, and no look at their size. */
const readProc = (path: string): string => {
  const fd = openSync(path, 'r');
  try {
    return procBytes.toString('latin1', 0, readSync(fd, procBytes, 0, procBytes.length, 0));
  } finally {
    closeSync(fd);
  }
};

const procBytes = Buffer.alloc(4096);

/** A process and the terminal that it reads from. */
export interface Terminal {
  pid: number;
  /** Its process group. */
  group: number;
  /** Its controlling terminal, as an opaque string; empty for none. */
  tty: string;
  /** The process group in the foreground of that terminal. */
  foreground: number;
}

/** Null when the process is gone. */
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
 * When a process started, ms since the epoch, to about a second; null where the platform does not tell. Counted from our own
 * start, by what the clock says now: so it moves along when somebody sets the clock, as the times of sessions do.
 */
export const startedAt = (pid: number): number | null => {
  const ticks = process.platform === 'linux' ? Number(processStart(pid) ?? Number.NaN) : Number.NaN;
  if (Number.isNaN(ticks) || Number.isNaN(own.ticks)) return null;
  const ownStart = Date.now() - (uptime() * 1_000 - own.uptime) - own.age;
  // USER_HZ is 100 on every Linux that Node runs on.
  return ownStart + (ticks - own.ticks) * 10;
};

/** This process: when it started in ticks since the boot, and how old it and the machine were when this was read. */
const own = {
  ticks: process.platform === 'linux' ? Number(processStart(process.pid) ?? Number.NaN) : Number.NaN,
  uptime: uptime() * 1_000,
  age: process.uptime() * 1_000,
};

/** Names the run of the machine since it was last started; empty where the platform does not tell. */
export const bootId = (): string => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
};

/** Whether what runs under this pid is younger than the last word of whom it belonged to: then it is another's by now. */
export const isAnothers = (pid: number, lastWord: number): boolean => {
  const born = startedAt(pid);
  return born !== null && born > lastWord + 2_000;
};

/** The inode of this process's pid namespace; empty where the platform has none. */
export const pidNamespace = (): string => {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return '';
  }
};

/** Whether some process has this pid: one cheap system call. It may be another than it was: `processStart` tells. */
export const exists = (pid: number): boolean => isThere(() => process.kill(pid, 0));

/**
 * Whether a program runs under this pid. A zombie, which its parent may leave unreaped for a while, takes signals but runs none.
 * Costs four times what `exists` does.
 */
export const isRunning = (pid: number): boolean =>
  process.platform === 'linux' ? isThere(() => readlinkSync(`/proc/${pid}/exe`)) : exists(pid);

const isThere = (ask: () => unknown): boolean => {
  try {
    ask();
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== 'ENOENT' && code !== 'ESRCH';
  }
};

/** The pids of all processes; null where the platform does not list them cheaply. */
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

/** The short name of a process; null when it is gone. */
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

/** The words of a process's command line; empty where they cannot be read. */
export const processWords = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
};

/** Named variables of a process's own environment; never more of it than was asked for. Empty where it cannot be read. */
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
    /* gone, or not ours */
  }
  return found;
};

/** The processes below a process, nearest first. */
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

/** A process and those above it, nearest first; empty when it is gone or the platform does not tell. */
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
