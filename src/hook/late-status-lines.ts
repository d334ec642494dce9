/**
 * Reads status lines that were withheld because the previous one was sent less than a second before. They are in a separate
 * file, which is read a second after each status line that arrived, so that the last figures of a burst are not lost.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.ts';

/** A status line that has arrived through the spool. */
interface ArrivedStatusLine {
  sessionId: string | null;
  /** When it was sent, ms. */
  at: number;
}

export class LateStatusLines {
  private readonly expected = new Map<string, { timer: NodeJS.Timeout; pid: number | null }>();

  constructor(
    private readonly folder: string,
    /** Called with what was withheld, since when, and the process of the one before. */
    private readonly onStatusLine: (payload: Buffer, at: number, pid: number | null) => void,
  ) {}

  /**
   * Call this before a status line is processed. Reads first what its session withheld earlier, and what its process withheld of
   * the session before `/clear`: a total that is processed after a later one would be added twice.
   */
  catchUp({ sessionId, at }: ArrivedStatusLine, pid: number | null): void {
    for (const [id, one] of this.expected)
      if (pid !== null && one.pid === pid && id !== sessionId) this.readNow(id, pid);
    if (isSafeId(sessionId) && this.withheldSince(sessionId) <= at)
      this.readNow(sessionId, this.expected.get(sessionId)?.pid ?? pid);
  }

  /** Called for each status line that arrived. */
  scheduleRead(sessionId: string, pid: number | null): void {
    if (!isSafeId(sessionId) || this.expected.size >= limits.usage.lateSessions) return;
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

  /** When the session withheld its last status line; infinite if it withheld none. */
  private withheldSince(sessionId: string): number {
    const stats = statSync(this.path(sessionId), { throwIfNoEntry: false });
    return stats ? Math.floor(stats.mtimeMs) : Number.POSITIVE_INFINITY;
  }

  private readNow(sessionId: string, pid: number | null): void {
    clearTimeout(this.expected.get(sessionId)?.timer);
    this.readWithheld(sessionId, pid);
  }

  private readWithheld(sessionId: string, pid: number | null): void {
    this.expected.delete(sessionId);
    const path = this.path(sessionId);
    try {
      const at = Math.floor(statSync(path).mtimeMs);
      const payload = readFileSync(path);
      rmSync(path, { force: true });
      this.onStatusLine(payload, at, pid);
    } catch {
      // Nothing was withheld.
    }
  }

  private path(sessionId: string): string {
    return join(this.folder, `${sessionId}.late`);
  }

  private names(): string[] {
    try {
      return readdirSync(this.folder);
    } catch {
      return [];
    }
  }
}

/** Whether an id can be part of a file name. */
const isSafeId = (id: string | null): id is string => id !== null && /^[0-9a-zA-Z-]{1,100}$/.test(id);
