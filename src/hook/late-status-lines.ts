/**
 * Reads status lines that were withheld because the previous one was sent less than a second before. They are in a separate
 * file, which is read a second after each status line that arrived, so that the last figures of a burst are not lost.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.ts';

export class LateStatusLines {
  private readonly expected = new Map<string, { timer: NodeJS.Timeout; pid: number | null }>();

  constructor(
    private readonly folder: string,
    /** Called with what was withheld, since when, and the process of the one before. */
    private readonly onStatusLine: (payload: Buffer, at: number, pid: number | null) => void,
  ) {}

  /** Call this before a status line is processed. Reads first what its process withheld of the session before `/clear`. */
  catchUp(sessionId: string | null, pid: number | null): void {
    for (const [id, one] of this.expected)
      if (pid !== null && one.pid === pid && id !== sessionId) {
        clearTimeout(one.timer);
        this.readWithheld(id, pid);
      }
  }

  /** Called for each status line that arrived. */
  scheduleRead(sessionId: string, pid: number | null): void {
    if (!/^[0-9a-zA-Z-]{1,100}$/.test(sessionId) || this.expected.size >= limits.usage.lateSessions) return;
    clearTimeout(this.expected.get(sessionId)?.timer);
    const timer = setTimeout(() => this.readWithheld(sessionId, pid), limits.usage.late);
    timer.unref();
    this.expected.set(sessionId, { timer, pid });
  }

  /** Removes files of sessions that have sent nothing for a long time. */
  clean(now: number): void {
    for (const name of this.names()) {
      const path = join(this.folder, name);
      const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - changed > limits.usage.seenAge) rmSync(path, { force: true });
    }
  }

  close(): void {
    for (const { timer } of this.expected.values()) clearTimeout(timer);
    this.expected.clear();
  }

  private readWithheld(sessionId: string, pid: number | null): void {
    this.expected.delete(sessionId);
    const path = join(this.folder, `${sessionId}.late`);
    try {
      const at = Math.floor(statSync(path).mtimeMs);
      const payload = readFileSync(path);
      rmSync(path, { force: true });
      this.onStatusLine(payload, at, pid);
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
