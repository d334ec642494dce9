/** The fold has no clock: when it wants to know whether a moment has passed, an event tells it. */
import type { Clock } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import type { Folded } from '../session/memory.ts';
import type { Loop } from './loop.ts';

export class Settle {
  private readonly due = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly loop: Loop,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    loop.listen(({ changed }) => {
      for (const { after } of changed) this.note(after);
      this.wind();
    });
  }

  start(): void {
    for (const session of this.loop.roll.all()) this.note(session);
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
    if (this.due.size === 0) return;
    const wait = Math.min(...this.due.values()) - this.clock.now();
    this.timer = setTimeout(() => this.ring(), Math.min(Math.max(wait, 1), 0x7fffffff));
    this.timer.unref();
  }

  private ring(): void {
    const now = this.clock.now();
    const ripe = [...this.due].filter(([, due]) => due <= now).map(([id]) => id);
    for (const id of ripe) this.due.delete(id);
    if (ripe.length === 0) {
      this.wind();
      return;
    }
    const drafts = ripe.map(
      (id): Draft => ({
        at: now,
        source: 'drover',
        name: 'Settled',
        sessionId: id,
        context: {},
        raw: Buffer.from('{}'),
      }),
    );
    this.loop
      .take(drafts.map(draft => ({ draft })))
      .catch(error => this.onError('a moment could not be kept', error));
  }
}
