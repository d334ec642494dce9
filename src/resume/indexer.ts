/** Feed the full-text index from the transcripts, one small chunk at a time, and only while the daemon is idle. */
import { closeSync, existsSync, readSync, statSync } from 'node:fs';
import { openRegular } from '../claude/read-file.ts';
import { answerOf, promptOf, transcriptLines } from '../claude/transcript.ts';
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import { type Doc, type Hit, SearchIndex } from '../store/search.ts';
import { listPast, type PastTranscript } from './transcripts.ts';

export interface IndexState {
  on: boolean;
  transcripts: number;
  /** Transcripts read to their end. */
  indexed: number;
}

export class Indexer {
  private search: SearchIndex | null = null;
  private timer: NodeJS.Timeout | null = null;
  private closed = false;
  private busyAt = 0;
  private pending: PastTranscript[] = [];
  private state = { transcripts: 0, indexed: 0 };

  constructor(
    private readonly file: string,
    private readonly dirs: () => string[],
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  /** Continue indexing, if it was ever turned on. */
  async start(): Promise<void> {
    if (existsSync(this.file)) await this.turnOn();
  }

  async turnOn(): Promise<void> {
    if (this.search || this.closed) return;
    this.search = await SearchIndex.open(this.file, this.onError);
    this.schedule(0);
  }

  /** Stop, and delete the index. */
  turnOff(): void {
    if (this.timer) clearTimeout(this.timer);
    this.pending = [];
    this.search?.destroy();
    this.search = null;
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    this.search?.close();
    this.search = null;
  }

  /** Pause indexing until the daemon is idle again. */
  postpone(): void {
    this.busyAt = this.clock.now();
  }

  status(): IndexState {
    return { on: this.search !== null, ...this.state };
  }

  /** Search, newest hits first; null while the index is off. */
  find(query: string, maxHits: number): Hit[] | null {
    return this.search?.find(query, maxHits) ?? null;
  }

  /** Remove sessions from the index, and never index them again. */
  forget(isSelected: (session: string, path: string) => boolean): void {
    this.search?.forget(({ session, path }) => isSelected(session, path));
  }

  private schedule(wait: number): void {
    if (this.closed || !this.search) return;
    this.timer = setTimeout(() => this.step(), wait);
    this.timer.unref();
  }

  private step(): void {
    if (this.closed || !this.search) return;
    if (this.clock.now() - this.busyAt < limits.search.quiet) return this.schedule(limits.search.quiet);
    try {
      const next = this.pending.at(-1);
      if (next) {
        if (this.readChunk(this.search, next)) this.pending.pop();
        return this.schedule(limits.search.chunkPause);
      }
      this.plan(this.search);
    } catch (error) {
      this.pending = [];
      this.onError('could not index a transcript', error);
    }
    this.schedule(this.pending.length ? limits.search.chunkPause : limits.search.scan);
  }

  /** Queue new and grown transcripts, newest last so that they are read first, and remove missing ones from the index. */
  private plan(search: SearchIndex): void {
    const known = new Map(search.docs().map(doc => [doc.path, doc]));
    const pasts = listPast(this.dirs());
    const existing = new Set(pasts.map(({ path }) => path));
    for (const doc of known.values()) if (!existing.has(doc.path)) search.remove(doc);
    this.pending = pasts.filter(({ path, size }) => {
      const doc = known.get(path);
      return !doc || (doc.forgotten === 0 && doc.read !== size);
    });
    this.state = { transcripts: pasts.length, indexed: pasts.length - this.pending.length };
  }

  /** Read the next chunk of a transcript; true at its end. */
  private readChunk(search: SearchIndex, { id, path }: PastTranscript): boolean {
    const doc = search.docOf(id, path);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    // It became shorter, so it was rewritten.
    if (size < doc.read) {
      search.remove(doc);
      return false;
    }
    const { texts, read } = textsFrom(path, doc, size);
    search.add(doc, texts, read);
    const isAtEnd = read >= size || read === doc.read;
    if (isAtEnd) this.state.indexed++;
    return isAtEnd;
  }
}

/** Read prompts and answers from a position on, as many complete lines as fit into one chunk. */
export const textsFrom = (path: string, { read }: Doc, size: number): { texts: string[]; read: number } => {
  const fd = openRegular(path);
  try {
    for (let bytes = limits.search.chunkBytes; ; bytes *= 4) {
      const chunk = Buffer.allocUnsafe(Math.min(bytes, size - read));
      const length = readSync(fd, chunk, 0, chunk.length, read);
      const end = chunk.lastIndexOf(10, length - 1) + 1;
      if (end > 0) return { texts: textsOf(chunk.toString('utf8', 0, end)), read: read + end };
      // An incomplete last line, or one too long to be a prompt or an answer.
      if (read + length >= size) return { texts: [], read };
      if (bytes >= limits.http.eventBytes) return { texts: [], read: read + length };
    }
  } finally {
    closeSync(fd);
  }
};

const textsOf = (text: string): string[] => {
  // Most of a transcript is tool calls and their output: skip those lines before parsing.
  const candidates = text
    .split('\n')
    .filter(line => /"type":"(?:user|assistant)"/.test(line) && !line.includes('"tool_result"'));
  return transcriptLines(`${candidates.join('\n')}\n`, true).flatMap(
    line => promptOf(line) ?? answerOf(line) ?? [],
  );
};
