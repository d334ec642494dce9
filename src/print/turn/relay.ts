/**
 * Our end of the FIFO over which the relay hook sends Stop payloads. The read end is opened first, without blocking; a write
 * end of our own then keeps it from ever reaching its end, so that a hook always finds a reader. A payload ends at a newline, or
 * where its JSON object is complete.
 */
import { close, constants, lstatSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { isCompletePayload } from '../../driver/turn/hook-payload.ts';

export class Relay {
  private readonly reader: Socket;
  private readonly writeEnd: number;
  private isClosed = false;

  constructor(
    private readonly fifo: string,
    onPayload: (payload: string) => void,
  ) {
    const fd = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    this.writeEnd = openSync(fifo, constants.O_WRONLY | constants.O_NONBLOCK);
    this.reader = new Socket({ fd, readable: true, writable: false });
    let text = '';
    this.reader.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (let cut = text.indexOf('\n'); cut >= 0; cut = text.indexOf('\n')) {
        const payload = text.slice(0, cut);
        text = text.slice(cut + 1);
        // The newline of a payload that was complete without it.
        if (payload.trim() !== '') onPayload(payload);
      }
      if (!isCompletePayload(text)) return;
      const payload = text;
      text = '';
      onPayload(payload);
    });
    this.reader.on('error', () => {});
  }

  /** The FIFO is still where the hook looks for it. */
  exists(): boolean {
    return lstatSync(this.fifo, { throwIfNoEntry: false })?.isFIFO() ?? false;
  }

  /** Removes the name first, so that no writer can come after; then both ends, which frees a blocked writer. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    rmSync(this.fifo, { force: true });
    this.reader.destroy();
    close(this.writeEnd, () => {});
  }
}
