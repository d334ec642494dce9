/** Facts about processes on Linux, from /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Processes } from '../platform.ts';
import { openLiveness } from './liveness.ts';
import { processMemory } from './memory.ts';
import { orNull, readProc, statFields } from './proc.ts';
import { ttyPath } from './tty-path.ts';

/** The kernel's flag for an exiting process. A large one takes milliseconds to exit, but runs no program any more. */
const pfExiting = 0x4;

const processStart = (pid: number): string | null =>
  orNull(() => {
    const [state, , , , , , flags, ...rest] = statFields(pid);
    const isExiting = state === 'Z' || state === 'X' || (Number(flags) & pfExiting) !== 0;
    return isExiting ? null : (rest[12] ?? null);
  });

const ticksOf = (pid: number): number => Number(processStart(pid) ?? Number.NaN);

/** This process: its start in ticks since boot, and its age and the machine's uptime at import. */
const own = {
  ticks: ticksOf(process.pid),
  uptime: uptime() * 1_000,
  age: process.uptime() * 1_000,
};

/** Counted from our own start by the current clock, so it follows when the clock is set. */
const startedAt = (pid: number): number | null => {
  const ticks = ticksOf(pid);
  if (Number.isNaN(ticks) || Number.isNaN(own.ticks)) return null;
  const ownStart = Date.now() - (uptime() * 1_000 - own.uptime) - own.age;
  // USER_HZ is 100 on every Linux that Node runs on.
  return ownStart + (ticks - own.ticks) * 10;
};

const pidNamespace = (): string => orNull(() => /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]) ?? '';

const descendants = (pid: number, depth = 4): number[] => {
  if (depth === 0) return [];
  const text = orNull(() => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')) ?? '';
  const children = text.trim().split(' ').filter(Boolean).map(Number);
  return [...children, ...children.flatMap(child => descendants(child, depth - 1))];
};

const lineage = (pid: number): number[] => {
  const found: number[] = [];
  for (let at = pid; at > 1 && found.length < 32; ) {
    found.push(at);
    const fields = orNull(() => statFields(at));
    if (!fields) return at === pid ? [] : found;
    at = Number(fields[1]);
  }
  return found;
};

export const linuxProcesses: Processes = {
  processStart,
  isSameStart: (one, other) => one === other,
  startForEmitter: pid => processStart(pid) ?? '',
  couldHaveWritten: (pid, { procStart }) => {
    const isKnown = typeof procStart === 'number' || (typeof procStart === 'string' && procStart !== '');
    return !isKnown || String(procStart) === processStart(pid);
  },
  startedAt,
  terminalOf: pid =>
    orNull(() => {
      const [, , group, , tty = '0', foreground] = statFields(pid);
      return {
        pid,
        group: Number(group),
        tty: tty === '0' ? '' : tty,
        path: ttyPath(Number(tty)),
        foreground: Number(foreground),
      };
    }),
  bootId: () => orNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()) ?? '',
  machineId: () => orNull(() => readFileSync('/etc/machine-id', 'latin1').trim()) ?? '',
  earlierMachineId: () => '',
  pidNamespace,
  pidNamespaceTest: () => {
    const inode = pidNamespace();
    return inode === '' ? null : `test "$(readlink /proc/self/ns/pid)" = "pid:[${inode}]"`;
  },
  openLiveness,
  activityOf: pid =>
    orNull(() => {
      const counts = [...readProc(`/proc/${pid}/status`).matchAll(/ctxt_switches:\t(\d+)/g)];
      return counts.length === 0 ? null : counts.reduce((sum, [, count]) => sum + Number(count), 0);
    }),
  processIds: () => new Set(readdirSync('/proc').flatMap(name => (/^\d/.test(name) ? [Number(name)] : []))),
  processName: pid =>
    orNull(() =>
      Buffer.from(readProc(`/proc/${pid}/comm`), 'latin1')
        .toString()
        .trim(),
    ),
  processArgs: pid => orNull(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')) ?? [],
  hasExactArgs: true,
  hasEnvironments: true,
  processEnv: (pid, names) => {
    const found: Partial<Record<(typeof names)[number], string>> = {};
    for (const entry of orNull(() => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')) ?? []) {
      const cut = entry.indexOf('=');
      const name = names.find(wanted => wanted === entry.slice(0, cut));
      if (name) found[name] = entry.slice(cut + 1);
    }
    return found;
  },
  descendants,
  lineage,
  processMemory,
  // Nothing is kept between calls.
  forgetReadings: () => {},
};
