/**
 * The sweep sees death: a CLI that was killed fires no hook. It is asked several times a second, cheaply, whether something runs under
 * its pid; whether that is still the same process is looked up more rarely, or as soon as one is missing.
 */
import type { Clock } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { exists, isAnothers, isRunning, processName, processStart } from '../proc.ts';
import type { Folded } from '../session/memory.ts';
import { hasSessionFile } from './session-files.ts';

/** Names a Claude CLI runs under; any other parent of a hook is a wrapper whose death says nothing. */
const cliNames = new Set(['claude', 'node', 'bun', 'MainThread']);

export class Sweep {
  /** What was found under a session's pid at first: the start of that process, or null for a wrapper. */
  private readonly starts = new Map<string, { pid: number; start: string | null }>();
  private timer: NodeJS.Timeout | null = null;
  private looked = 0;
  private looking = false;
  private ticks = 0;

  constructor(
    private readonly live: () => Folded[],
    private readonly dirs: () => string[],
    /** Takes in what hooks have said meanwhile: a SessionEnd goes before the death it announces. */
    private readonly catchUp: () => Promise<void>,
    private readonly take: (drafts: Draft[]) => void,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void = () => {},
  ) {}

  start(): void {
    this.lookSafely();
    this.timer = setInterval(() => this.tick(), limits.watch.alive);
    this.timer.unref();
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** Looks when it is time to, or as soon as a process is missing. */
  tick(): void {
    const isDue = performance.now() - this.looked >= limits.watch.sameProcess;
    if (!this.looking && (isDue || this.misses())) this.lookSafely();
  }

  private lookSafely(): void {
    this.look().catch(error => this.onError('the processes could not be looked at', error));
  }

  /** One look at the process of every live session. */
  async look(): Promise<void> {
    this.looked = performance.now();
    this.looking = true;
    try {
      await this.lookAtAll();
    } finally {
      this.looking = false;
    }
  }

  /** A process that counted as a CLI is gone; every other time also one that its parent has not reaped. */
  private misses(): boolean {
    this.ticks++;
    const isAlive = this.ticks % 2 ? exists : isRunning;
    for (const { pid, start } of this.starts.values()) if (start !== null && !isAlive(pid)) return true;
    return false;
  }

  private async lookAtAll(): Promise<void> {
    const before = this.live();
    const alive = new Set(before.map(session => session.id));
    for (const id of this.starts.keys()) if (!alive.has(id)) this.starts.delete(id);
    const lost = before.filter(session => this.isLost(session)).map(({ id }) => this.draft(id, 'Lost', {}));
    const gone = new Map(before.filter(session => this.isGone(session)).map(({ id, pid }) => [id, pid]));
    if (gone.size > 0) await this.catchUp();
    const dead = this.live()
      .filter(session => gone.has(session.id) && gone.get(session.id) === session.pid)
      .map(({ id, pid }) => this.draft(id, 'ProcessGone', { pid, left: !this.leftFile(pid) }));
    // Told once; were it still live after that, the next look would tell again.
    for (const id of gone.keys()) this.starts.delete(id);
    if (dead.length + lost.length > 0) this.take([...dead, ...lost]);
  }

  /** A CLI that leaves in order takes its session file away; one that is killed leaves it behind. */
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
    if (isAnothers(pid, touched)) return true;
    const name = processName(pid);
    this.starts.set(id, { pid, start: name !== null && !cliNames.has(name) ? null : start });
    return false;
  }

  /** Of a session elsewhere, or one without a process, there is nothing to look at: its silence has to tell. */
  private isLost({ pid, touched }: Folded): boolean {
    return pid === null && this.clock.now() - touched > limits.watch.lostAfter;
  }
}
