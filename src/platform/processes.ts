/** Facts about processes, from the chosen platform. `platform.ts` documents each function. */
import { platform } from './choose.ts';

export const {
  processStart,
  startForEmitter,
  couldHaveWritten,
  startedAt,
  terminalOf,
  bootId,
  machineId,
  earlierMachineId,
  pidNamespace,
  pidNamespaceTest,
  openLiveness,
  activityOf,
  processIds,
  processName,
  processArgs,
  hasExactArgs,
  hasEnvironments,
  processEnv,
  descendants,
  lineage,
  processMemory,
  forgetReadings,
} = platform.processes;

export type { Liveness, ProcessMemory, Terminal } from './platform.ts';

/** Check whether the process that had this start still runs under its pid. Null: it had already ended. */
export const isSameProcess = (pid: number, start: string | null): boolean => {
  if (start === null) return false;
  const now = processStart(pid);
  return now !== null && platform.processes.isSameStart(now, start);
};

/** Check whether a pid was reused: its process started after the last event of the one that we know. */
export const isReusedPid = (pid: number, lastEvent: number): boolean => {
  const started = startedAt(pid);
  return started !== null && started > lastEvent + 2_000;
};

/** Check whether this process is in its own pid namespace, as in a container. The kernel's first one has a fixed inode. */
export const isInContainer = (): boolean => !['', '4026531836'].includes(pidNamespace());
