/**
 * What the status line withheld because it had sent something less than a second ago. It lies in a file beside; whoever got
 * the one before looks there a second later, so that the last figures of a burst are not lost.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.ts';

export class LateStatusLines {
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly folder: string,
    private readonly take: (payload: Buffer) => void,
  ) {}

  /** Called for each status line that arrived. */
  expect(sessionId: string): void {
    if (!/^[0-9a-zA-Z-]{1,100}$/.test(sessionId) || this.timers.size >= limits.usage.lateSessions) return;
    clearTimeout(this.timers.get(sessionId));
    const timer = setTimeout(() => this.look(sessionId), limits.usage.late);
    timer.unref();
    this.timers.set(sessionId, timer);
  }

  /** Removes what sessions left behind that have said nothing for long. */
  clean(now: number): void {
    for (const name of this.names()) {
      const path = join(this.folder, name);
      const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - changed > limits.usage.seenAge) rmSync(path, { force: true });
    }
  }

  close(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
  }

  private look(sessionId: string): void {
    this.timers.delete(sessionId);
    const path = join(this.folder, `${sessionId}.late`);
    try {
      const payload = readFileSync(path);
      rmSync(path, { force: true });
      this.take(payload);
    } catch {
      // Nothing was withheld.
    }
  }

  private names(): string[] {
    try {
      return readdirSync(this.folder);
    } catch {
      return [];
    }
  }
}
