/**
 * Measure the memory of each session: its process and all descendants. One pass over all processes serves all sessions.
 * It runs when somebody asks for figures and the last ones are old enough, else once a minute, and only while sessions run.
 */
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import { type ProcessMemory, processMemory } from '../platform/processes.ts';

export interface MemoryUseDeps {
  /** The processes of live sessions on this machine. */
  processes: () => { id: string; pid: number; isMeasured: boolean }[];
  /** Receives what was measured. */
  publish: (bytes: ReadonlyMap<string, number>) => void;
  onError: (message: string, error: unknown) => void;
  /** Lists all processes. */
  read?: () => Promise<ProcessMemory[]>;
}

export class MemoryUse {
  private timer: NodeJS.Timeout | null = null;
  private measuredAt = Number.NEGATIVE_INFINITY;
  private running: Promise<void> | null = null;

  constructor(
    private readonly deps: MemoryUseDeps,
    private readonly clock: Clock,
  ) {}

  start(): void {
    this.timer = setInterval(() => void this.measure(limits.memory.unseen / 2), limits.memory.unseen);
    this.timer.unref();
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Measure now, unless that was done a moment ago. */
  refresh(): Promise<void> {
    const hasNew = this.deps.processes().some(({ isMeasured }) => !isMeasured);
    return this.measure(hasNew ? limits.memory.firstMaxAge : limits.memory.maxAge);
  }

  private async measure(minAge: number): Promise<void> {
    const now = this.clock.now();
    if (Math.abs(now - this.measuredAt) < minAge) return;
    this.running ??= this.measureNow().finally(() => (this.running = null));
    await this.running;
  }

  private async measureNow(): Promise<void> {
    this.measuredAt = this.clock.now();
    const processes = this.deps.processes();
    if (processes.length === 0) return;
    try {
      const all = await (this.deps.read ?? processMemory)();
      const byPid = new Map(all.map(one => [one.pid, one]));
      const children = new Map<number, ProcessMemory[]>();
      for (const one of all) children.set(one.parent, [...(children.get(one.parent) ?? []), one]);
      const measured = processes.flatMap(({ id, pid }) => {
        const root = byPid.get(pid);
        return root ? [[id, treeBytes(children, root)] as const] : [];
      });
      this.deps.publish(new Map(measured));
    } catch (error) {
      this.deps.onError('could not measure the memory of the sessions', error);
    }
  }
}

/** Add up a process and its descendants. */
const treeBytes = (children: Map<number, ProcessMemory[]>, root: ProcessMemory): number => {
  let bytes = 0;
  const seen = new Set<number>();
  for (const rest = [root]; rest.length > 0; ) {
    const next = rest.pop() as ProcessMemory;
    if (seen.has(next.pid)) continue;
    seen.add(next.pid);
    bytes += next.bytes;
    rest.push(...(children.get(next.pid) ?? []));
  }
  return bytes;
};
