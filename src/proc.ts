/** Everything that is known of processes by the platform: /proc on Linux. The macOS form asks ps and is untested. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** When a process started, as an opaque string: with the pid it names one process for ever. Null when it is gone. */
export const processStart = (pid: number): string | null => {
  if (process.platform !== 'linux') return startByPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command's name stands in parentheses and may hold anything; the fields count from behind it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
};

/** The inode of this process's pid namespace; empty where the platform has none. */
export const pidNamespace = (): string => {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
  } catch {
    return '';
  }
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
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
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
