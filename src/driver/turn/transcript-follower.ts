/** A transcript followed from one byte on: every whole line, once, as it lands. */
import { closeSync, readSync } from 'node:fs';
import { openRegular } from '../../claude/read-file.ts';

const step = 1024 * 1024;
/** Taken at once; the rest at the next look. */
const most = 64 * step;

export class Follow {
  private rest: Buffer = Buffer.alloc(0);
  private readonly piece = Buffer.allocUnsafe(step);

  constructor(
    readonly path: string,
    private offset: number,
  ) {}

  /** The lines that have come since; none when there is no file yet. CR at a line's end and blank lines are dropped. */
  read(): string[] {
    let fd: number;
    try {
      fd = openRegular(this.path);
    } catch {
      return [];
    }
    const parts: Buffer[] = [this.rest];
    try {
      for (let got = -1, taken = 0; got !== 0 && taken < most; taken += got) {
        got = readSync(fd, this.piece, 0, step, this.offset);
        this.offset += got;
        parts.push(Buffer.from(this.piece.subarray(0, got)));
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
