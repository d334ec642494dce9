/**
 * Detect CLIs that have exited: one that was killed fires no hook. Several times a second a cheap check asks whether a process
 * with its pid exists. A full poll checks more rarely, or as soon as one is missing, whether it is still the same process.
 */
import type { Clock } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { exists, isReusedPid, isRunning, processName, processStart } from '../proc.ts';
import type { Folded } from '../session/memory.ts';
import { hasSessionFile } from './session-files.ts';

/** Process names of a Claude CLI. Any other parent of a hook is a wrapper, whose exit means nothing. */
const cliNames = new Set(['claude', 'node', 'bun', 'MainThread']);

export class Sweep {
  /** The start time of each session's process as first seen, or null for a wrapper. */
  private readonly starts = new Map<string, { pid: number; start: string | null }>();
  private timer: NodeJS.Timeout | null = null;
  private polledAt = 0;
  private isPolling = false;
  private ticks = 0;

  constructor(
    private readonly live: () => Folded[],
    private readonly dirs: () => string[],
    /** Reads the spool first: a SessionEnd hook must come before the exit that it announces. */
    private readonly catchUp: () => Promise<void>,
    private readonly take: (drafts: Draft[]) => void,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void = () => {},
  ) {}

  start(): void {
    this.pollSafely();
    this.timer = setInterval(() => this.tick(), limits.watch.alive);
    this.timer.unref();
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Poll when it is time, or as soon as a process is missing. */
  tick(): void {
    const isDue = performance.now() - this.polledAt >= limits.watch.sameProcess;
    if (!this.isPolling && (isDue || this.isOneMissing())) this.pollSafely();
  }

  private pollSafely(): void {
    this.poll().catch(error => this.onError('could not check the processes', error));
  }

  /** Check the process of every live session. */
  async poll(): Promise<void> {
    this.polledAt = performance.now();
    this.isPolling = true;
    try {
      await this.checkAll();
    } finally {
      this.isPolling = false;
    }
  }

  /** Check whether a CLI process is missing. Every other call also detects a zombie, which costs more. */
  private isOneMissing(): boolean {
    this.ticks++;
    const isAlive = this.ticks % 2 ? exists : isRunning;
    for (const { pid, start } of this.starts.values()) if (start !== null && !isAlive(pid)) return true;
    return false;
  }

  private async checkAll(): Promise<void> {
    const before = this.live();
    const alive = new Set(before.map(session => session.id));
    for (const id of this.starts.keys()) if (!alive.has(id)) this.starts.delete(id);
    const lost = before.filter(session => this.isLost(session)).map(({ id }) => this.draft(id, 'Lost', {}));
    const gone = new Map(before.filter(session => this.isGone(session)).map(({ id, pid }) => [id, pid]));
    if (gone.size > 0) await this.catchUp();
    const dead = this.live()
      .filter(session => gone.has(session.id) && gone.get(session.id) === session.pid)
      .map(({ id, pid }) => this.draft(id, 'ProcessGone', { pid, left: !this.leftFile(pid) }));
    // Reported once. If the session is still live after that, the next poll reports it again.
    for (const id of gone.keys()) this.starts.delete(id);
    if (dead.length + lost.length > 0) this.take([...dead, ...lost]);
  }

  /** A CLI that exits normally removes its session file; one that is killed leaves it behind. */
  private leftFile(pid: number | null): boolean {
    return pid !== null && hasSessionFile(this.dirs(), pid);
  }

  private draft(sessionId: string, name: string, fields: object): Draft {
    const raw = Buffer.from(JSON.stringify({ session_id: sessionId, ...fields }));
    return { at: this.clock.now(), source: 'sweep', name, sessionId, context: {}, raw };
  }

  private isGone({ id, pid, touched }: Folded): boolean {
    if (pid === null) return false;
    const start = processStart(pid);
    const known = this.starts.get(id);
    if (known?.pid === pid) return known.start !== null && known.start !== start;
    if (start === null) return true;
    if (isReusedPid(pid, touched)) return true;
    const name = processName(pid);
    this.starts.set(id, { pid, start: name !== null && !cliNames.has(name) ? null : start });
    return false;
  }

  /** A session without a known process can only be judged by its silence. */
  private isLost({ pid, touched }: Folded): boolean {
    return pid === null && this.clock.now() - touched > limits.watch.lostAfter;
  }
}
