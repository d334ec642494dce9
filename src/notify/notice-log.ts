/**
 * The log of notifications: one line of JSON for each that was sent, failed or was suppressed. It is small, so all of it is in
 * memory; the file is there for the next daemon, which must neither repeat a notice nor forget a cooldown.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { NoticeEntry } from '../contract/notice.ts';
import { limits } from '../limits.ts';
import { writePrivate } from '../files/private-file.ts';

export class NoticeLog {
  private entries: NoticeEntry[];
  private lines: number;

  constructor(
    private readonly file: string,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    const read = linesOf(file);
    this.lines = read.length;
    this.entries = read.flatMap(entryIn).slice(-limits.notify.logEntries);
  }

  add(entry: NoticeEntry): void {
    this.entries = [...this.entries, entry].slice(-limits.notify.logEntries);
    this.save(() => {
      if (this.lines >= 2 * limits.notify.logEntries) return this.rewrite();
      appendFileSync(this.file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
      this.lines += 1;
    });
  }

  /** Returns the newest entries, oldest first. */
  newest(count: number): NoticeEntry[] {
    return this.entries.slice(-count);
  }

  /** Whether this wait of a session was suppressed for this reason before. */
  hasSuppressed(session: string, since: number, reason: string): boolean {
    return this.entries.some(
      entry =>
        entry.outcome === 'suppressed' &&
        entry.since === since &&
        entry.reason === reason &&
        entry.sessions[0] === session,
    );
  }

  /** Returns when the last notice about each session was sent, or failed. */
  lastNotices(): Map<string, number> {
    const tried = this.entries.filter(({ outcome }) => outcome !== 'suppressed');
    return new Map(tried.flatMap(({ sessions, at }) => sessions.map(id => [id, at] as const)));
  }

  /** Removes the entries about a session, those before a time, or all. */
  forget({ id, before, all }: { id?: string; before?: number; all?: boolean }): void {
    this.entries = this.entries.filter(
      ({ sessions, at }) =>
        all !== true &&
        (id === undefined || !sessions.includes(id)) &&
        (before === undefined || at >= before),
    );
    this.save(() => this.rewrite());
  }

  private rewrite(): void {
    writePrivate(this.file, this.entries.map(entry => `${JSON.stringify(entry)}\n`).join(''));
    this.lines = this.entries.length;
  }

  /** A log that cannot be written must not keep a notice from being sent. */
  private save(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.onError('the log of notifications was not written', error);
    }
  }
}

const linesOf = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
};

const entryIn = (line: string): NoticeEntry[] => {
  try {
    return [NoticeEntry.parse(JSON.parse(line))];
  } catch {
    return [];
  }
};
