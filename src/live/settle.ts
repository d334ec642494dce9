/** The fold has no clock: when it wants to know whether a moment has passed, an event tells it. */
import type { Clock } from '../clock.ts';
import type { Folded } from '../session/memory.ts';
import { ownEvent } from '../session/own-event.ts';
import { limits } from '../limits.ts';
import type { Loop } from './loop.ts';

export class Settle {
  private readonly due = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private ringing = false;
  /** Not before this, by `performance.now`: the store failed. */
  private notBefore = 0;

  constructor(
    private readonly loop: Loop,
    private readonly clock: Clock,
    /** Takes in what the sources have said of these sessions meanwhile: a moment has passed only after that. */
    private readonly catchUp: (ids: string[]) => Promise<void>,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    loop.listen(({ changed }) => {
      for (const { after } of changed) this.note(after);
      this.wind();
    });
  }

  start(): void {
    for (const session of this.loop.sessionIndex.all()) this.note(session);
    this.wind();
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.due.clear();
  }

  private note(session: Folded): void {
    if (session.memory.due === null || session.state === 'ended') this.due.delete(session.id);
    else this.due.set(session.id, session.memory.due);
  }

  private wind(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (this.due.size === 0 || this.ringing) return;
    const due = Math.min(...this.due.values()) - this.clock.now();
    const wait = Math.max(due, this.notBefore - performance.now());
    this.timer = setTimeout(() => void this.ring(), Math.min(Math.max(wait, 1), 0x7fffffff));
    this.timer.unref();
  }

  private async ring(): Promise<void> {
    const now = this.clock.now();
    const ripe = (ids: Iterable<string>) => [...ids].filter(id => (this.due.get(id) ?? now + 1) <= now);
    this.ringing = true;
    try {
      const due = ripe(this.due.keys());
      if (due.length > 0) await this.catchUp(due);
      const passed = ripe(due);
      if (passed.length > 0)
        await this.loop.take(passed.map(id => ({ draft: ownEvent('Settled', id, now) })));
      // What this event made due is later than it.
      for (const id of passed) if ((this.due.get(id) ?? 0) <= now) this.due.delete(id);
    } catch (error) {
      this.notBefore = performance.now() + limits.store.retry;
      this.onError('Could not record a Settled event', error);
    } finally {
      this.ringing = false;
      this.wind();
    }
  }
}
