/** Tells the usage engine which transcripts grow now: those of sessions that work, and for a while of those that have. */
import { limits } from '../limits.ts';
import { transcriptOf } from '../resume/transcripts.ts';
import type { Folded } from '../session/memory.ts';
import type { AsyncEngine } from '../usage/messages.ts';
import type { Core } from './core.ts';

export class UsageFollower {
  private timer: NodeJS.Timeout | null = null;
  private again: NodeJS.Timeout | null = null;
  /** What the engine was told last. */
  private followed = '';
  private isClosed = false;

  constructor(
    private readonly core: Pick<Core, 'loop' | 'log' | 'dirs' | 'clock'>,
    private readonly engine: () => AsyncEngine,
  ) {}

  /** Tells the engine soon. */
  schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.follow();
    }, limits.usage.follow).unref();
  }

  /** A new engine was started: it knows of no session. */
  reset(): void {
    this.followed = '';
  }

  close(): void {
    this.isClosed = true;
    for (const one of [this.timer, this.again]) if (one) clearTimeout(one);
  }

  private follow(): void {
    const { loop, log, dirs } = this.core;
    const claudeDirs = dirs();
    const busy = loop.sessionIndex.live().filter(session => this.isBusy(session));
    // The last message of a turn is written shortly after its end.
    if (busy.some(session => !isWorking(session)))
      this.again ??= setTimeout(() => {
        this.again = null;
        this.follow();
      }, limits.usage.settleTime).unref();
    const transcripts = busy.flatMap(session => transcriptOf(session, claudeDirs) ?? []);
    const now = JSON.stringify([claudeDirs, transcripts]);
    if (this.isClosed || now === this.followed) return;
    this.followed = now;
    this.engine()
      .follow(claudeDirs, transcripts)
      .catch(error => log.error('usage cannot follow the sessions', error));
  }

  private isBusy(session: Folded): boolean {
    return isWorking(session) || this.core.clock.now() - session.touched < limits.usage.settleTime;
  }
}

const isWorking = ({ state }: Folded): boolean => state === 'working' || state === 'background';
