/** What waits for one agent, and when the next of it may go: in order, one delivery at a time, many at once as one. */
import type { Wake } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';

export class AgentQueue {
  wakes: Wake[] = [];
  busy = false;
  /** The session that the agent is, while it cannot take a message. */
  blockedOn: string | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** When deliveries began, the last few. */
  private begun: number[] = [];
  private first = 0;
  private last = 0;

  add(wake: Wake, now: number): void {
    if (this.wakes.length === 0) this.first = now;
    this.last = now;
    this.wakes.push(wake);
  }

  remove(gone: Wake[]): void {
    this.wakes = this.wakes.filter(wake => !gone.includes(wake));
  }

  begin(now: number): void {
    this.begun = [...this.begun.slice(1 - limits.wake.burst), now];
  }

  withheld(): number {
    return this.wakes.filter(({ status }) => status === 'withheld').length;
  }

  /** How long to wait before the next delivery: behind a failure, and while many come at once, so that they go as one. */
  wait(now: number): number {
    const free = this.wakes.filter(({ status }) => status !== 'withheld');
    // What is withheld goes along with anything else, or when its time has come.
    if (free.length === 0) return Math.max(0, Math.min(...this.wakes.map(({ due }) => due)) - now);
    const failed = Math.max(0, ...free.map(({ due }) => due)) - now;
    if (failed > 0) return failed;
    const often = this.begun.filter(at => at > now - limits.wake.burstWindow).length >= limits.wake.burst;
    if (!often && this.wakes.length <= limits.wake.fullWakes) return 0;
    return Math.max(0, Math.min(this.last + limits.wake.burstWindow, this.first + limits.wake.gather) - now);
  }

  wind(ms: number, ring: () => void): void {
    this.unwind();
    this.timer = setTimeout(ring, ms);
    this.timer.unref();
  }

  unwind(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }
}
