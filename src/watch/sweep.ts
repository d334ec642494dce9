/**
 * Detect CLIs that have exited: one that was killed fires no hook. Several times a second a cheap check asks whether each process
 * still runs. A full poll follows as soon as one does not, and every few seconds for sessions whose process is new.
 */
import { type Clock, elapsed } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import {
  forgetReadings,
  isReusedPid,
  type Liveness,
  openLiveness,
  processName,
} from '../platform/processes.ts';
import type { Folded } from '../session/memory.ts';
import { eventFrom } from '../session/own-event.ts';
import { hasSessionFile } from './session-files.ts';

/** Process names of a Claude CLI. Any other parent of a hook is a wrapper, whose exit means nothing. */
const cliNames = new Set(['claude', 'node', 'bun', 'MainThread']);

export class Sweep {
  /** The process of each session; without `liveness` for a wrapper. */
  private readonly processes = new Map<string, { pid: number; liveness: Liveness | null }>();
  private timer: NodeJS.Timeout | null = null;
  private polledAt = 0;
  /** Time of the last tick, and of the machine's last wake. */
  private tickedAt: number;
  private awakeSince = 0;
  private isPolling = false;

  constructor(
    private readonly live: () => Folded[],
    private readonly dirs: () => string[],
    /** Reads the spool first: a SessionEnd hook must come before the exit that it announces. */
    private readonly catchUp: () => Promise<void>,
    private readonly record: (drafts: Draft[]) => void,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void = () => {},
  ) {
    this.tickedAt = clock.now();
  }

  start(): void {
    this.pollSafely();
    this.timer = setInterval(() => this.tick(), limits.watch.alive);
    this.timer.unref();
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
    for (const id of this.processes.keys()) this.forget(id);
  }

  /** Poll when it is time, or as soon as a process is missing. */
  tick(): void {
    this.noteSleep();
    const isDue = elapsed(this.clock) - this.polledAt >= limits.watch.processes;
    if (!this.isPolling && (isDue || this.isOneMissing())) this.pollSafely();
  }

  /** Detects that the machine was asleep. The silence of sessions is then counted from its wake. */
  private noteSleep(): void {
    const now = this.clock.now();
    if (now - this.tickedAt > limits.watch.asleep) {
      this.awakeSince = now;
      forgetReadings();
    }
    this.tickedAt = now;
  }

  private pollSafely(): void {
    this.poll().catch(error => this.onError('could not check the processes', error));
  }

  /** Check the process of every live session. */
  async poll(): Promise<void> {
    this.polledAt = elapsed(this.clock);
    this.isPolling = true;
    try {
      await this.checkAll();
    } finally {
      this.isPolling = false;
    }
  }

  private isOneMissing(): boolean {
    for (const { liveness } of this.processes.values())
      if (liveness !== null && !liveness.isRunning()) return true;
    return false;
  }

  private async checkAll(): Promise<void> {
    const before = this.live();
    const alive = new Set(before.map(session => session.id));
    for (const id of this.processes.keys()) if (!alive.has(id)) this.forget(id);
    // A process that has just become the CLI by `exec` must not be taken for a wrapper.
    if (before.some(({ id, pid }) => pid !== null && this.processes.get(id)?.pid !== pid)) forgetReadings();
    const lost = before.filter(session => this.isLost(session)).map(({ id }) => this.draft(id, 'Lost', {}));
    const gone = new Map(before.filter(session => this.isGone(session)).map(({ id, pid }) => [id, pid]));
    if (gone.size > 0) await this.catchUp();
    const dead = this.live()
      .filter(session => gone.has(session.id) && gone.get(session.id) === session.pid)
      .map(({ id, pid }) => this.draft(id, 'ProcessGone', { pid, left: !this.leftSessionFile(pid) }));
    // Reported once. If the session is still live after that, the next poll reports it again.
    for (const id of gone.keys()) this.forget(id);
    if (dead.length + lost.length > 0) this.record([...dead, ...lost]);
  }

  /** A CLI that exits normally removes its session file; one that is killed leaves it behind. */
  private leftSessionFile(pid: number | null): boolean {
    return pid !== null && hasSessionFile(this.dirs(), pid);
  }

  private draft(sessionId: string, name: string, fields: object): Draft {
    return eventFrom('sweep', name, sessionId, this.clock.now(), fields);
  }

  private isGone({ id, pid, touched }: Folded): boolean {
    if (pid === null) return false;
    const known = this.processes.get(id);
    if (known?.pid === pid) return known.liveness !== null && !known.liveness.isRunning();
    this.forget(id);
    const liveness = openLiveness(pid);
    if (!liveness?.isRunning() || isReusedPid(pid, touched)) {
      liveness?.close();
      return true;
    }
    const name = processName(pid);
    const isWrapper = name !== null && !cliNames.has(name);
    if (isWrapper) liveness.close();
    this.processes.set(id, { pid, liveness: isWrapper ? null : liveness });
    return false;
  }

  private forget(id: string): void {
    this.processes.get(id)?.liveness?.close();
    this.processes.delete(id);
  }

  /** Whether a session without a known process has been silent long enough to count as lost. */
  private isLost({ pid, touched }: Folded): boolean {
    return pid === null && this.clock.now() - Math.max(touched, this.awakeSince) > limits.watch.lostAfter;
  }
}
