/**
 * Our end of the FIFO. The read end is opened first, without waiting, then a write end that keeps it from ever reaching
 * its end: a hook that writes finds a reader at once. As there is no end, a payload ends at its newline.
 */
import { close, constants, lstatSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';

export class Relay {
  private readonly reader: Socket;
  private readonly keeper: number;
  private closed = false;

  constructor(
    private readonly fifo: string,
    heard: (payload: string) => void,
  ) {
    const fd = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    this.keeper = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    this.reader = new Socket({ fd, readable: true, writable: false });
    let text = '';
    this.reader.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (let cut = text.indexOf('\n'); cut >= 0; cut = text.indexOf('\n')) {
        heard(text.slice(0, cut));
        text = text.slice(cut + 1);
      }
    });
    this.reader.on('error', () => {});
  }

  /** The FIFO still stands where the hook will look for it. */
  stands(): boolean {
    return lstatSync(this.fifo, { throwIfNoEntry: false })?.isFIFO() ?? false;
  }

  /**
   * The name goes first, so that no writer can come after; then both ends, which frees a writer that is blocked. May be
   * called twice.
   */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    rmSync(this.fifo, { force: true });
    this.reader.destroy();
    close(this.keeper, () => {});
  }
}
