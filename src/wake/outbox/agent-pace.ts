/** When the next delivery to an agent may begin. Wakes that come in a burst are gathered into one delivery. */
import type { Wake } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';

export class AgentPace {
  /** The agent's own session, while it cannot take a message. */
  blockedOn: string | null = null;
  /** When the last few deliveries began. */
  private begun: number[] = [];
  private first = 0;
  private last = 0;

  /** A wake was added to the queue. */
  onAdded(now: number, isFirst: boolean): void {
    if (isFirst) this.first = now;
    this.last = now;
  }

  /** A delivery begins. */
  begin(now: number): void {
    this.begun = [...this.begun.slice(1 - limits.wake.burst), now];
  }

  /** Ms until the next delivery: after a failure, and while many wakes come at once. */
  delay(wakes: readonly Wake[], now: number): number {
    const free = wakes.filter(({ status }) => status !== 'withheld');
    // Withheld wakes are delivered together with any other, or when they are due.
    if (free.length === 0) return Math.max(0, Math.min(...wakes.map(({ due }) => due)) - now);
    const retry = Math.max(0, ...free.map(({ due }) => due)) - now;
    if (retry > 0) return retry;
    const isBurst = this.begun.filter(at => at > now - limits.wake.burstWindow).length >= limits.wake.burst;
    if (!isBurst && wakes.length <= limits.wake.fullWakes) return 0;
    return Math.max(0, Math.min(this.last + limits.wake.burstWindow, this.first + limits.wake.gather) - now);
  }
}
