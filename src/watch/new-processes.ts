/** Find CLIs that have started since the last poll. Listing pids is cheap; asking tmux is not. */
import { limits } from '../limits.ts';
import { processIds, processName } from '../platform/processes.ts';

export class NewProcesses {
  private known: Set<number> = new Set();
  /** Pids that may still become a CLI by `exec`, with the time they were first seen. */
  private readonly young = new Map<number, number>();

  /** Return the pids of new CLIs, each once; null where the platform does not list processes. */
  poll(now: number): number[] | null {
    const pids = processIds();
    if (!pids) return null;
    for (const pid of pids) if (!this.known.has(pid)) this.young.set(pid, now);
    this.known = pids;
    const found: number[] = [];
    for (const [pid, since] of this.young) {
      const isCli = pids.has(pid) && processName(pid) === 'claude';
      if (isCli) found.push(pid);
      if (isCli || !pids.has(pid) || now - since > limits.watch.youngProcess) this.young.delete(pid);
    }
    return found;
  }
}
