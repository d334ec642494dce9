/** Detects that somebody set the clock: it moved by more or less than the time that passed. */
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';

export class ClockSteps {
  private last: { now: number; steady: number } | null;

  constructor(private readonly clock: Clock) {
    this.last = this.read();
  }

  /** Returns by how much the clock was set since the last call, ms; 0 when it was not. */
  check(): number {
    const reading = this.read();
    if (!reading || !this.last) return 0;
    const by = Math.round(reading.now - this.last.now - (reading.steady - this.last.steady));
    this.last = reading;
    return Math.abs(by) < limits.clock.step ? 0 : by;
  }

  /** Reads both clocks; null when there is only one, or when the reads were interrupted. */
  private read(): { now: number; steady: number } | null {
    const { clock } = this;
    if (!clock.steady) return null;
    const steady = clock.steady();
    const now = clock.now();
    return clock.steady() - steady < limits.clock.step / 5 ? { now, steady } : null;
  }
}
