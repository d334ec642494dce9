/** One reader of a stream. It is disconnected when it falls behind, and resumes by cursor. */
import type { Writable } from 'node:stream';
import type { Caller } from '../contract/caller.ts';
import { limits } from '../limits.ts';

export interface ReaderOptions {
  /** Who reads; null when it does not come over HTTP. */
  caller: Caller | null;
  /** Null: all sessions. */
  sessionId: string | null;
  /** False: only states. */
  hooks: boolean;
  /** Gets only sessions of this machine. */
  isLocal: boolean;
}

export class Reader {
  readonly caller: Caller | null;
  readonly sessionId: string | null;
  readonly hooks: boolean;
  readonly isLocal: boolean;
  /** Stops following the sessions of other machines; null for a reader of this machine only. */
  unwatch: (() => void) | null = null;
  /** Delays the end of a cleared session until its successor is known. */
  ending: NodeJS.Timeout | null = null;
  /** Unsent bytes after which it is disconnected. */
  private maxBehind: number = limits.stream.readerBytes;

  constructor(
    readonly sink: Writable,
    { caller, sessionId, hooks, isLocal }: ReaderOptions,
  ) {
    this.caller = caller;
    this.sessionId = sessionId;
    this.hooks = hooks;
    this.isLocal = isLocal;
  }

  get isOpen(): boolean {
    return !this.sink.destroyed && !this.sink.writableEnded;
  }

  /** Sends a large frame that the reader may receive slowly. It raises the limit by the size of the frame. */
  sendSnapshot(frame: Buffer): void {
    this.maxBehind += frame.length;
    this.sink.write(frame);
  }

  /** Sends frames, or disconnects a reader that is too far behind. Returns false when it did. */
  send(frames: Buffer[]): boolean {
    const { sink } = this;
    if (!this.isOpen) return true;
    if (sink.writableLength > this.maxBehind) {
      sink.destroy();
      return false;
    }
    const { readerBytes } = limits.stream;
    this.maxBehind = Math.max(readerBytes, Math.min(this.maxBehind, sink.writableLength + readerBytes));
    for (const frame of frames) {
      // A single frame may exceed the limit. The reader must receive it before more is sent.
      if (frame.length > readerBytes) this.maxBehind += frame.length;
      sink.write(frame);
    }
    return true;
  }

  /** Cleans up after the stream has closed. */
  dispose(): void {
    this.unwatch?.();
    if (this.ending) clearTimeout(this.ending);
  }
}
