/** Remember the ancestors of sessions: they do not change, and reading them costs a `ps` on macOS. */
import { lineage } from '../platform/processes.ts';

export class Lineages {
  private readonly known = new Map<string, { pid: number; pids: number[] }>();

  constructor(private readonly read: (pid: number) => number[] = lineage) {}

  /** Return a session's process and its ancestors; empty when it is gone. */
  of(id: string, pid: number): number[] {
    const known = this.known.get(id);
    return known?.pid === pid ? known.pids : this.readAgain(id, pid);
  }

  /** Read them again: a pid may have been reused since. */
  readAgain(id: string, pid: number): number[] {
    const pids = this.read(pid);
    if (pids.length > 0) this.known.set(id, { pid, pids });
    else this.known.delete(id);
    return pids;
  }

  keepOnly(ids: string[]): void {
    const kept = new Set(ids);
    for (const id of this.known.keys()) if (!kept.has(id)) this.known.delete(id);
  }
}
