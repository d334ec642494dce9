/** Reads transcripts into the usage database, one chunk at a time, and only what was added since the last time. */
import type { UsageStore } from '../store/usage/usage-store.ts';
import { readChunk } from './read-chunk.ts';
import { filesOf, listFiles, type TranscriptFile } from './transcript-files.ts';

export class UsageReader {
  /** Bytes read of each transcript. */
  private read: Map<string, number>;
  private sizes = new Map<string, number>();
  /** What is left to read; the last is read next. */
  private pending: TranscriptFile[] = [];

  constructor(
    private readonly store: UsageStore,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    this.read = readSoFar(store);
    store.db.onReplaced(() => {
      this.read = new Map();
    });
  }

  /** Finds what was added to any transcript of these Claude folders. The newest are read first. */
  scan(claudeDirs: string[]): void {
    const files = listFiles(claudeDirs);
    this.sizes = new Map(files.map(({ path, size }) => [path, size]));
    this.unfinished.clear();
    this.pending = files.filter(file => this.hasMore(file)).reverse();
  }

  /** Finds what was added to these transcripts and those of their subagents. */
  check(paths: string[]): void {
    for (const file of paths.flatMap(filesOf)) {
      this.sizes.set(file.path, file.size);
      if (!this.hasMore(file)) continue;
      this.pending = [...this.pending.filter(({ path }) => path !== file.path), file];
    }
  }

  /** Reads one chunk; returns the sessions whose figures it changed, or null when there is nothing left. */
  step(): string[] | null {
    const file = this.pending.at(-1);
    if (!file) return null;
    try {
      const before = this.readOf(file);
      const { messages, bills, read } = readChunk(file, before);
      if (read === before || read >= file.size) this.pending.pop();
      if (read === before) {
        this.unfinished.set(file.path, file.size);
        return [];
      }
      this.unfinished.delete(file.path);
      this.store.add(file.path, read, messages, bills);
      this.read.set(file.path, read);
      return [...new Set(messages.map(({ sessionId }) => sessionId))];
    } catch (error) {
      this.pending.pop();
      // Tried again with the next scan.
      this.unfinished.set(file.path, file.size);
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone) this.onError('could not read the usage of a transcript', error);
      return [];
    }
  }

  /** Tells how much has been read. */
  progress(): { files: number; bytes: number; leftFiles: number; leftBytes: number } {
    const sizes = [...this.sizes.values()];
    return {
      files: sizes.length,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
      leftFiles: this.pending.length,
      leftBytes: this.pending.reduce((sum, file) => sum + file.size - this.readOf(file), 0),
    };
  }

  private hasMore(file: TranscriptFile): boolean {
    return this.readOf(file) < file.size && this.unfinished.get(file.path) !== file.size;
  }

  /** Sizes of files that end with half a line or could not be read: not tried again at every check. */
  private readonly unfinished = new Map<string, number>();

  /** A file that became shorter was rewritten. Messages that it repeats are known by their ids. */
  private readOf({ path, size }: TranscriptFile): number {
    const read = this.read.get(path) ?? 0;
    return read > size ? 0 : read;
  }
}

const readSoFar = (store: UsageStore): Map<string, number> =>
  new Map(store.files().map(({ path, read }) => [path, read]));
