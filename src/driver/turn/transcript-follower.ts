/** Follows a transcript from a byte offset and returns each complete line once. */
import { closeSync, readSync } from 'node:fs';
import { openRegular } from '../../claude/read-file.ts';

const chunkBytes = 1024 * 1024;
/** Read at once; the rest with the next read. */
const maxBytes = 64 * chunkBytes;

export class TranscriptFollower {
  private rest: Buffer = Buffer.alloc(0);
  private readonly chunk = Buffer.allocUnsafe(chunkBytes);

  constructor(
    readonly path: string,
    private offset: number,
  ) {}

  /** The lines since the last read; none while there is no file. Drops a CR at a line's end, and blank lines. */
  read(): string[] {
    let fd: number;
    try {
      fd = openRegular(this.path);
    } catch {
      return [];
    }
    const parts: Buffer[] = [this.rest];
    try {
      for (let got = -1, total = 0; got !== 0 && total < maxBytes; total += got) {
        got = readSync(fd, this.chunk, 0, chunkBytes, this.offset);
        this.offset += got;
        parts.push(Buffer.from(this.chunk.subarray(0, got)));
      }
    } finally {
      closeSync(fd);
    }
    const all = Buffer.concat(parts);
    const end = all.lastIndexOf(0x0a) + 1;
    this.rest = all.subarray(end);
    return all
      .toString('utf8', 0, end)
      .split('\n')
      .map(line => (line.endsWith('\r') ? line.slice(0, -1) : line))
      .filter(line => line.trim() !== '');
  }
}
