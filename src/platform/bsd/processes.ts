/**
 * Facts about processes on macOS and other BSDs, from `ps`. A start is known to the second, so a pid that is reused within the
 * second after its process ended is taken for the same one. No option that BSD and procps share prints environments.
 */
import type { Processes } from '../platform.ts';
import { ProcessTable } from './process-table.ts';
import { argumentsOf, isExiting, type Ps, type Row, systemPs } from './ps.ts';
import { systemIds } from './system-ids.ts';

/** `exists` checks whether a pid is in use, with one system call. */
export const bsdProcesses = (
  ps: Ps = systemPs,
  table = new ProcessTable(ps),
  exists: (pid: number) => boolean = isPidInUse,
): Processes => {
  const rowOf = (pid: number): Row | null => (pid > 0 && exists(pid) ? table.row(pid) : null);
  const runningRow = (pid: number): Row | null => {
    const row = rowOf(pid);
    return row && !isExiting(row) ? row : null;
  };
  const processStart = (pid: number): string | null => {
    const row = runningRow(pid);
    return row && String(row.started);
  };
  const rowsAround = (pid: number): ReadonlyMap<number, Row> =>
    exists(pid) ? table.allWith(pid) : table.all();
  const childrenOf = (pids: ReadonlySet<number>): number[] =>
    [...table.all().values()].filter(({ parent }) => pids.has(parent)).map(({ pid }) => pid);

  return {
    processStart,
    isSameStart: (one, other) => Math.abs(Number(one) - Number(other)) <= 1,
    startForEmitter: pid => runningRow(pid)?.startText ?? '',
    // The format of procStart depends on the system. But the file is written after its process has started, and ps knows that
    // start to a second or two.
    couldHaveWritten: (pid, { startedAt }) => {
      const row = runningRow(pid);
      return row !== null && (typeof startedAt !== 'number' || row.started * 1_000 <= startedAt + 2 * second);
    },
    startedAt: pid => {
      const row = runningRow(pid);
      return row && row.started * 1_000;
    },
    terminalOf: pid => {
      const row = rowsAround(pid).get(pid);
      if (!row) return null;
      const { group, tty, foreground } = row;
      return { pid, group, tty, path: tty === '' ? null : `/dev/${tty}`, foreground };
    },
    ...systemIds(),
    pidNamespace: () => '',
    pidNamespaceTest: () => null,
    openLiveness: pid => {
      const first = runningRow(pid);
      if (!first) return null;
      const isRunning = () => {
        if (!exists(pid)) return false;
        // A zombie and a reused pid exist too. Only ps can tell; it runs every few seconds for all of them.
        table.refreshInBackground();
        const row = table.lastKnown(pid);
        return row === null || (!isExiting(row) && Math.abs(row.started - first.started) <= 1);
      };
      return { isRunning, close: () => {} };
    },
    activityOf: () => null,
    processIds: () => null,
    processName: pid => rowOf(pid)?.name ?? null,
    processArgs: pid => {
      const line = ps.now(argumentsOf(pid)).trim();
      return line === '' ? [] : line.split(/\s+/);
    },
    hasExactArgs: false,
    hasEnvironments: false,
    processEnv: () => null,
    descendants: (pid, depth = 4) => {
      const found: number[] = [];
      rowsAround(pid);
      for (let level = new Set([pid]); level.size > 0 && depth > 0; depth--) {
        const children = childrenOf(level);
        found.push(...children);
        level = new Set(children);
      }
      return found;
    },
    lineage: pid => {
      const found: number[] = [];
      const rows = rowsAround(pid);
      for (let at = pid; at > 1 && found.length < 32 && rows.has(at); at = rows.get(at)?.parent ?? 0)
        found.push(at);
      return found;
    },
    processMemory: async () => {
      await table.readInBackground();
      return [...table.all().values()].map(({ pid, parent, kib }) => ({ pid, parent, bytes: kib * 1024 }));
    },
    forgetReadings: () => table.forget(),
  };
};

const second = 1_000;

const isPidInUse = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};
