/**
 * Run `ps` with options that BSD and procps share, and parse its rows. Each column has its own `-o`: BSD takes all that follows
 * an equals sign as the header of that column, commas too.
 */
import { execFile, execFileSync } from 'node:child_process';

/** One process. */
export interface Row {
  pid: number;
  parent: number;
  group: number;
  /** The process group in the foreground of its terminal. */
  foreground: number;
  state: string;
  kib: number;
  /** Empty for none. */
  tty: string;
  /** Its start in seconds since the epoch. */
  started: number;
  /** The same as ps prints it. */
  startText: string;
  name: string;
}

/** Runs ps and returns what it printed; nothing when it fails, as it does for a pid that is gone. */
export interface Ps {
  now(args: string[]): string;
  later(args: string[]): Promise<string>;
}

const columns = ['pid', 'ppid', 'pgid', 'tpgid', 'stat', 'rss', 'tty', 'lstart', 'comm'];
const printed = columns.flatMap(name => ['-o', `${name}=`]);

/** `-ww`: a ps that finds no terminal may cut its rows at 79 columns, in the middle of a program's path. */
export const allRows = ['-A', '-ww', ...printed];
export const rowOf = (pid: number): string[] => ['-ww', '-p', String(pid), ...printed];
export const argumentsOf = (pid: number): string[] => ['-ww', '-p', String(pid), '-o', 'args='];

const rowForm =
  /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(-?\d+)\s+(\S+)\s+(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]{8}\s+\d{4})\s+(.*?)\s*$/;

/** Parse what ps printed; a row that reads differently is skipped. */
export const parseRows = (text: string): Row[] =>
  text.split('\n').flatMap(line => {
    const [, pid, parent, group, foreground, state = '', kib, tty = '', start = '', command = ''] =
      rowForm.exec(line) ?? [];
    if (pid === undefined) return [];
    const startText = start.replace(/\s+/g, ' ');
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        foreground: Number(foreground),
        state,
        kib: Number(kib),
        tty: /^[?-]+$/.test(tty) ? '' : tty,
        started: secondsOf(startText),
        startText,
        name: nameOf(command),
      },
    ];
  });

/** `Mon Nov 16 21:13:12 2026` in seconds since the epoch: ps runs in UTC. */
const secondsOf = (text: string): number => {
  const [, month, day, time, year] = text.split(' ');
  return Date.parse(`${day} ${month} ${year} ${time} UTC`) / 1_000;
};

/**
 * The short name of a command. macOS prints the program as it was called, procps its name. A login shell begins with a dash, a
 * zombie is marked, and the native installer names the file of Claude Code after its version.
 */
const nameOf = (command: string): string => {
  const path = command.replace(/ <defunct>$/, '').replace(/^\((.*)\)$/, '$1');
  const name = (path.split('/').pop() ?? '').replace(/^-/, '');
  return /^\d+\.\d+\.\d+/.test(name) ? 'claude' : name;
};

/** A process that runs no program any more: a zombie, or one that is exiting (BSD's flag E). */
export const isExiting = ({ state }: Row): boolean => /^[ZX]|E/.test(state);

/** In English, and in UTC: both change what `lstart` prints. */
const options = () => ({
  encoding: 'utf8' as const,
  env: { PATH: `/bin:/usr/bin:${process.env.PATH ?? ''}`, LC_ALL: 'C', TZ: 'UTC0' },
  timeout: 5_000,
  maxBuffer: 16_000_000,
});

export const systemPs: Ps = {
  now: args => {
    try {
      return execFileSync('ps', args, { ...options(), stdio: ['ignore', 'pipe', 'ignore'] });
    } catch {
      return '';
    }
  },
  later: args =>
    new Promise(resolve => {
      execFile('ps', args, options(), (_, stdout) => resolve(stdout));
    }),
};
