/**
 * Holds back the wake of a finished turn until its tokens are counted, so that it tells the context in use after this turn and not
 * after the one before. Claude Code writes the line with the count shortly after Stop.
 */
import type { Event } from '../../contract/event.ts';
import type { Session } from '../../contract/session.ts';
import type { Wake } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';

export class CountWait {
  /** The newest count of each session for which a wake waits. */
  private readonly counted = new Map<string, number>();

  /** Notes a count. Returns whether it is one. */
  onEvent({ source, name, sessionId, seq }: Event): boolean {
    if (source !== 'transcript' || name !== 'Usage' || !sessionId) return false;
    this.counted.delete(sessionId);
    this.counted.set(sessionId, seq);
    const [oldest] = this.counted.keys();
    if (this.counted.size > limits.wake.counts && oldest !== undefined) this.counted.delete(oldest);
    return true;
  }

  /** Ms until these wakes may be delivered without the count. */
  delay(wakes: readonly Wake[], sessionOf: (id: string) => Session | undefined, now: number): number {
    const waits = wakes
      .filter(({ trigger, tries }) => trigger === 'response_complete' && tries === 0)
      .filter(({ sessionId, seq }) => (this.counted.get(sessionId) ?? 0) < seq)
      .filter(({ sessionId }) => sessionOf(sessionId)?.transcript != null)
      .map(({ at }) => at + limits.wake.countWait - now);
    // Never longer than that, whatever a clock says.
    return Math.min(Math.max(0, ...waits), limits.wake.countWait);
  }
}
