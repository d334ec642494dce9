/** Feeds the full-text index from the transcripts, a small piece at a time, and only while nothing else happens. */
import { closeSync, existsSync, readSync, statSync } from 'node:fs';
import { openRegular } from '../claude/read-file.ts';
import { answerOf, promptOf, transcriptLines } from '../claude/transcript.ts';
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import { type Doc, type Hit, Search } from '../store/search.ts';
import { listPast, type Past } from './transcripts.ts';

export interface IndexState {
  on: boolean;
  transcripts: number;
  /** Read to their end. */
  indexed: number;
}

export class Indexer {
  private search: Search | null = null;
  private timer: NodeJS.Timeout | null = null;
  private closed = false;
  private busyAt = 0;
  private waiting: Past[] = [];
  private state = { transcripts: 0, indexed: 0 };

  constructor(
    private readonly file: string,
    private readonly dirs: () => string[],
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  /** Goes on where it was; does nothing where it was never turned on. */
  async start(): Promise<void> {
    if (existsSync(this.file)) await this.turnOn();
  }

  async turnOn(): Promise<void> {
    if (this.search || this.closed) return;
    this.search = await Search.open(this.file, this.onError);
    this.later(0);
  }

  /** Stops, and deletes all that was indexed. */
  turnOff(): void {
    if (this.timer) clearTimeout(this.timer);
    this.waiting = [];
    this.search?.destroy();
    this.search = null;
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    this.search?.close();
    this.search = null;
  }

  /** Something happens: indexing waits until it is quiet again. */
  disturb(): void {
    this.busyAt = this.clock.now();
  }

  status(): IndexState {
    return { on: this.search !== null, ...this.state };
  }

  /** Hits of a search, newest first; null while it is off. */
  find(query: string, most: number): Hit[] | null {
    return this.search?.find(query, most) ?? null;
  }

  /** Clears what was indexed of sessions, and does not read them again. */
  forget(wanted: (session: string, path: string) => boolean): void {
    this.search?.forget(({ session, path }) => wanted(session, path));
  }

  private later(wait: number): void {
    if (this.closed || !this.search) return;
    this.timer = setTimeout(() => this.step(), wait);
    this.timer.unref();
  }

  private step(): void {
    if (this.closed || !this.search) return;
    if (this.clock.now() - this.busyAt < limits.search.quiet) return this.later(limits.search.quiet);
    try {
      const next = this.waiting.at(-1);
      if (next) {
        if (this.readPiece(this.search, next)) this.waiting.pop();
        return this.later(limits.search.chunkPause);
      }
      this.plan(this.search);
    } catch (error) {
      this.waiting = [];
      this.onError('a transcript could not be indexed', error);
    }
    this.later(this.waiting.length ? limits.search.chunkPause : limits.search.scan);
  }

  /** What is new or has grown, the oldest to be read first; what is gone goes from the index too. */
  private plan(search: Search): void {
    const known = new Map(search.docs().map(doc => [doc.path, doc]));
    const pasts = listPast(this.dirs());
    const there = new Set(pasts.map(({ path }) => path));
    for (const doc of known.values()) if (!there.has(doc.path)) search.remove(doc);
    this.waiting = pasts.filter(({ path, size }) => {
      const doc = known.get(path);
      return !doc || (doc.forgotten === 0 && doc.read !== size);
    });
    this.state = { transcripts: pasts.length, indexed: pasts.length - this.waiting.length };
  }

  /** Reads on in one transcript; true at its end. */
  private readPiece(search: Search, { id, path }: Past): boolean {
    const doc = search.docOf(id, path);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    // Shorter than it was: written anew.
    if (size < doc.read) {
      search.remove(doc);
      return false;
    }
    const { texts, read } = textsFrom(path, doc, size);
    search.add(doc, texts, read);
    const over = read >= size || read === doc.read;
    if (over) this.state.indexed++;
    return over;
  }
}

/** The prompts and answers behind a place in a transcript, as many whole lines as one piece holds. */
export const textsFrom = (path: string, { read }: Doc, size: number): { texts: string[]; read: number } => {
  const fd = openRegular(path);
  try {
    for (let bytes = limits.search.chunkBytes; ; bytes *= 4) {
      const piece = Buffer.allocUnsafe(Math.min(bytes, size - read));
      const length = readSync(fd, piece, 0, piece.length, read);
      const end = piece.lastIndexOf(10, length - 1) + 1;
      if (end > 0) return { texts: textsOf(piece.toString('utf8', 0, end)), read: read + end };
      // Half a line at the end of the file, or one that is longer than anything a person said.
      if (read + length >= size) return { texts: [], read };
      if (bytes >= limits.http.eventBytes) return { texts: [], read: read + length };
    }
  } finally {
    closeSync(fd);
  }
};

const textsOf = (text: string): string[] => {
  // Most of a transcript is tools and their output: left out before it is parsed.
  const spoken = text
    .split('\n')
    .filter(line => /"type":"(?:user|assistant)"/.test(line) && !line.includes('"tool_result"'));
  return transcriptLines(`${spoken.join('\n')}\n`, true).flatMap(
    line => promptOf(line) ?? answerOf(line) ?? [],
  );
};
