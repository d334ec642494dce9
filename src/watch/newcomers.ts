/** CLIs that have come since the last look. Listing pids is cheap; asking tmux is not. */
import { limits } from '../limits.ts';
import { processIds, processName } from '../proc.ts';

export class Newcomers {
  private known: Set<number> = new Set();
  /** Pids that may still become a CLI by `exec`, and when they were seen first. */
  private readonly young = new Map<number, number>();

  /** Their pids, each told once; null where the platform cannot tell. */
  look(now: number): number[] | null {
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
