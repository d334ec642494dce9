/** The sweep sees death: a CLI that was killed fires no hook, so its process is looked for once a second. */
import type { Clock } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import type { Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { processName, processStart } from '../proc.ts';

/** Names a Claude CLI runs under; any other parent of a hook is a wrapper whose death says nothing. */
const cliNames = new Set(['claude', 'node', 'bun', 'MainThread']);

export class Sweep {
  private readonly starts = new Map<string, { pid: number; start: string | null }>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly live: () => Session[],
    private readonly take: (drafts: Draft[]) => Promise<void>,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.look(), limits.sweep);
    this.timer.unref();
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** One look at the process of every live session. */
  look(): void {
    const live = this.live();
    const gone = live.filter(session => session.pid !== null && this.isGone(session.id, session.pid));
    const alive = new Set(live.map(session => session.id));
    for (const id of this.starts.keys()) if (!alive.has(id)) this.starts.delete(id);
    if (gone.length === 0) return;
    const drafts = gone.map((session): Draft => {
      const raw = Buffer.from(JSON.stringify({ session_id: session.id, pid: session.pid }));
      return {
        at: this.clock.now(),
        source: 'sweep',
        name: 'ProcessGone',
        sessionId: session.id,
        context: {},
        raw,
      };
    });
    this.take(drafts).catch(error => this.onError('the sweep could not be kept', error));
  }

  private isGone(id: string, pid: number): boolean {
    const start = processStart(pid);
    const known = this.starts.get(id);
    if (known?.pid === pid) return known.start !== null && known.start !== start;
    const name = start === null ? null : processName(pid);
    // A wrapper's pid is remembered as unknown, so that it is not asked about again.
    this.starts.set(id, { pid, start: name !== null && !cliNames.has(name) ? null : start });
    return start === null;
  }
}
