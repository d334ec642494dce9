/** Detects that somebody set the clock: it moved by more or less than the time that passed. */
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';

export class ClockSteps {
  private last: { now: number; uptime: number } | null;

  /** Set before this daemon ran, not yet reported. */
  private earlier: number;

  /** `lastSeen`: when the last known event was seen. */
  constructor(
    private readonly clock: Clock,
    lastSeen: number,
  ) {
    // The clock was set back while no daemon ran, so known events are in the future. They move to just before now, so that
    // the next event is later even by the coarse times of files.
    const ahead = clock.uptime ? lastSeen - clock.now() : 0;
    this.earlier = ahead < limits.clock.step ? 0 : -(ahead + 10);
    this.last = this.read();
  }

  /** Returns by how much the clock was set since the last call, ms; 0 when it was not. */
  check(): number {
    const by = this.earlier + this.sinceLast();
    this.earlier = 0;
    return by;
  }

  private sinceLast(): number {
    const reading = this.read();
    if (!reading || !this.last) return 0;
    const by = Math.round(reading.now - this.last.now - (reading.uptime - this.last.uptime));
    this.last = reading;
    return Math.abs(by) < limits.clock.step ? 0 : by;
  }

  /** Reads both clocks; null when there is only one, or when the reads were interrupted. */
  private read(): { now: number; uptime: number } | null {
    const { clock } = this;
    if (!clock.uptime) return null;
    const uptime = clock.uptime();
    const now = clock.now();
    return clock.uptime() - uptime < limits.clock.step / 5 ? { now, uptime } : null;
  }
}
