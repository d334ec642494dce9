/** Ends a Claude Code process. */
import { isSameProcess, processStart } from '../../platform/processes.ts';
import { pollUntil } from '../../poll-until.ts';

/** Identifies one process even after its pid is reused. */
export interface ProcessRef {
  pid: number;
  /** As `processStart` returns it; null when the process had already ended. */
  start: string | null;
}

export interface EndGrace {
  /** How long to wait after SIGTERM, ms. The CLI uses it to write what it holds back and to fire SessionEnd. */
  term: number;
  /** How long to wait after SIGKILL, ms. */
  kill: number;
}

export const processRef = (pid: number): ProcessRef => ({ pid, start: processStart(pid) });

export const isAlive = ({ pid, start }: ProcessRef): boolean => isSameProcess(pid, start);

/** Sends SIGTERM, then SIGKILL if it still runs. Resolves when it has ended or both periods have passed. */
export const endProcess = async (ref: ProcessRef, { term, kill }: EndGrace): Promise<void> => {
  const hasEnded = () => !isAlive(ref);
  sendSignal(ref, 'SIGTERM');
  if (await pollUntil(hasEnded, term, pollEvery)) return;
  sendSignal(ref, 'SIGKILL');
  await pollUntil(hasEnded, kill, pollEvery);
};

/** Sends SIGTERM and nothing stronger; whether it ended in this time. */
export const terminate = (ref: ProcessRef, ms: number): Promise<boolean> => {
  sendSignal(ref, 'SIGTERM');
  return pollUntil(() => !isAlive(ref), ms, pollEvery);
};

/** The CLI ends within 15 to 40 ms, and a print run waits for it. */
const pollEvery = 3;

const sendSignal = (ref: ProcessRef, name: NodeJS.Signals): void => {
  if (!isAlive(ref)) return;
  try {
    process.kill(ref.pid, name);
  } catch {
    // It has just ended by itself.
  }
};
