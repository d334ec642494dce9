/** The sweep sees death: a CLI that was killed fires no hook, so its process is looked for once a second. */
import type { Clock } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { isAnothers, processName, processStart } from '../proc.ts';
import type { Folded } from '../session/memory.ts';
import { hasSessionFile } from './session-files.ts';

/** Names a Claude CLI runs under; any other parent of a hook is a wrapper whose death says nothing. */
const cliNames = new Set(['claude', 'node', 'bun', 'MainThread']);

export class Sweep {
  /** What was found under a session's pid at first: the start of that process, or null for a wrapper. */
  private readonly starts = new Map<string, { pid: number; start: string | null }>();
  private timer: NodeJS.Timeout | null = null;

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
    const look = () => {
      this.look().catch(error => this.onError('the processes could not be looked at', error));
    };
    look();
    this.timer = setInterval(look, limits.sweep);
    this.timer.unref();
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** One look at the process of every live session. */
  async look(): Promise<void> {
    const before = this.live();
    const alive = new Set(before.map(session => session.id));
    for (const id of this.starts.keys()) if (!alive.has(id)) this.starts.delete(id);
    const lost = before.filter(session => this.isLost(session)).map(({ id }) => this.draft(id, 'Lost', {}));
    const gone = new Map(before.filter(session => this.isGone(session)).map(({ id, pid }) => [id, pid]));
    if (gone.size > 0) await this.catchUp();
    const dead = this.live()
      .filter(session => gone.has(session.id) && gone.get(session.id) === session.pid)
      .map(({ id, pid }) => this.draft(id, 'ProcessGone', { pid, left: !this.leftFile(pid) }));
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
    return pid === null && this.clock.now() - touched > limits.lostAfter;
  }
}
