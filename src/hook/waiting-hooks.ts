/**
 * Hooks that wait for an answer. Each one blocks on a FIFO that it has made in a folder of DROVER_HOME, named after its delivery,
 * and prints the line that it reads; an empty line means nothing. The daemon keeps the FIFO open for writing: when the daemon dies,
 * the hook reads its end and exits. A hook opens its FIFO before it writes its event, so a FIFO that nobody reads has no hook.
 */
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { limits } from '../limits.ts';

/** One hook that waits. */
export interface WaitingHook {
  /** Ends the wait with what the hook prints; null: nothing. Resolves with false if the hook was gone. Only the first call counts. */
  respond: (output: string | null) => Promise<boolean>;
  /** Whether the hook still reads. The CLI ends a hook that has waited too long. */
  isThere: () => boolean;
  /** Called when the hook was found to be gone. */
  onGone: () => void;
}

export class WaitingHooks {
  private readonly waiting = new Set<Fifo>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly dir: string) {}

  /** Makes the folder, and removes what earlier daemons have left in it: the hooks ended with them. */
  start(): void {
    mkdirSync(this.dir, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(this.dir)) rmSync(join(this.dir, name), { recursive: true, force: true });
  }

  /** Opens the FIFO of a delivery; null when no hook waits there. */
  open(delivery: string): WaitingHook | null {
    if (!/^[\w.-]{1,128}$/.test(delivery) || /^\.+$/.test(delivery)) return null;
    const path = join(this.dir, delivery);
    const fd = openWriter(path);
    if (fd === null) {
      rmSync(path, { force: true });
      return null;
    }
    const hook = new Fifo(path, fd, () => this.waiting.delete(hook));
    this.waiting.add(hook);
    this.timer ??= setInterval(() => this.check(), limits.approvals.hookCheck);
    return hook;
  }

  /** Ends every wait. */
  close(): void {
    for (const hook of this.waiting) void hook.respond(null);
    this.check();
  }

  /** Reports hooks that the CLI has ended. Runs only while a hook waits. */
  private check(): void {
    for (const hook of this.waiting) if (!hook.isThere()) hook.onGone();
    if (this.waiting.size > 0 || !this.timer) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}

class Fifo implements WaitingHook {
  onGone = (): void => void this.respond(null);
  private isOpen = true;

  constructor(
    private readonly path: string,
    private readonly fd: number,
    private readonly onEnd: () => void,
  ) {}

  respond(output: string | null): Promise<boolean> {
    if (!this.isOpen) return Promise.resolve(false);
    this.isOpen = false;
    this.onEnd();
    // JSON has no newline outside of its texts, where it is escaped.
    const line = Buffer.from(`${output ?? ''}\n`);
    try {
      const written = writeSync(this.fd, line);
      if (written < line.length) return this.writeRest(line.subarray(written));
      this.end();
      return Promise.resolve(true);
    } catch {
      this.end();
      return Promise.resolve(false);
    }
  }

  isThere(): boolean {
    if (!this.isOpen) return false;
    const fd = openWriter(this.path);
    if (fd === null) return false;
    closeSync(fd);
    return true;
  }

  /** Writes what does not fit into the pipe, as the hook reads. */
  private writeRest(rest: Buffer): Promise<boolean> {
    return new Promise(resolve => {
      const pipe = new Socket({ fd: this.fd, readable: false, writable: true });
      pipe.on('error', () => resolve(false));
      pipe.on('close', () => {
        resolve(true);
        rmSync(this.path, { force: true });
      });
      pipe.end(rest);
    });
  }

  private end(): void {
    closeSync(this.fd);
    rmSync(this.path, { force: true });
  }
}

/** Opens a FIFO for writing; null when it is none, or nobody reads it. */
const openWriter = (path: string): number | null => {
  let fd: number;
  try {
    fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
  if (fstatSync(fd).isFIFO()) return fd;
  closeSync(fd);
  return null;
};
