/**
 * Confirms or reverts tentative states. What one source alone reports counts only if nothing contradicts it for a while. The
 * fold has no clock, so a session states in `memory.due` when it must be decided again. The loop then records a `Settled`
 * event, on which the fold confirms or reverts the state.
 */
import { type Clock, elapsed, schedule } from '../clock.ts';
import { limits } from '../limits.ts';
import type { Folded } from '../session/memory.ts';
import { ownEvent } from '../session/own-event.ts';
import type { Commit, Loop } from './loop.ts';

/** Takes in what the sources have reported about these sessions until now; throws when it cannot. */
export type CatchUp = (ids: string[]) => Promise<void>;

export class TentativeStates {
  private readonly due = new Map<string, number>();
  private cancelTimer = (): void => {};
  /** Null: not started, or stopped. */
  private catchUp: CatchUp | null = null;
  private isConfirming = false;
  /** When to try again after the store failed, by `elapsed`. */
  private retryAt = 0;

  constructor(
    private readonly loop: Pick<Loop, 'sessionIndex' | 'append'>,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  /** Starts with every session that is due. Time has passed for a session only after `catchUp`. */
  start(catchUp: CatchUp): void {
    this.catchUp = catchUp;
    for (const session of this.loop.sessionIndex.all()) this.note(session);
    this.schedule();
  }

  stop(): void {
    this.catchUp = null;
    this.schedule();
  }

  /** Notes when the sessions that changed are due. */
  onCommits(commits: Commit[]): void {
    for (const { changed } of commits) for (const { after } of changed) this.note(after);
    this.schedule();
  }

  private note(session: Folded): void {
    if (session.memory.due === null || session.state === 'ended') this.due.delete(session.id);
    else this.due.set(session.id, session.memory.due);
  }

  private schedule(): void {
    this.cancelTimer();
    if (this.due.size === 0 || this.isConfirming || !this.catchUp) return;
    const due = Math.min(...this.due.values()) - this.clock.now();
    const wait = Math.max(due, this.retryAt - elapsed(this.clock));
    this.cancelTimer = schedule(this.clock, Math.max(wait, 1), () => void this.confirm());
  }

  private async confirm(): Promise<void> {
    const now = this.clock.now();
    const stillDue = (ids: Iterable<string>) => [...ids].filter(id => (this.due.get(id) ?? now + 1) <= now);
    this.isConfirming = true;
    try {
      const due = stillDue(this.due.keys());
      if (due.length > 0) await this.catchUp?.(due);
      const settled = stillDue(due);
      if (settled.length > 0 && this.catchUp)
        await this.loop.append(settled.map(id => ({ draft: ownEvent('Settled', id, now) })));
      // A session that is due again after this event is due later than now.
      for (const id of settled) if ((this.due.get(id) ?? 0) <= now) this.due.delete(id);
    } catch (error) {
      this.retryAt = elapsed(this.clock) + limits.store.retry;
      this.onError('Could not record a Settled event', error);
    } finally {
      this.isConfirming = false;
      this.schedule();
    }
  }
}
