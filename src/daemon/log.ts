/** The daemon's own log: JSON lines, redacted, rotated. */
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { limits } from '../limits.ts';

export class DaemonLog {
  /** The newest errors, for `drover status`. */
  readonly errors: string[] = [];
  private size: number;

  constructor(
    private readonly file: string,
    private readonly redact: (text: string) => string,
    private readonly now: () => number,
  ) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    this.size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }

  info(message: string, fields: Record<string, unknown> = {}): void {
    this.write('info', message, fields);
  }

  readonly error = (message: string, error: unknown): void => {
    const text = this.redact(`${message}: ${error instanceof Error ? error.message : String(error)}`);
    this.errors.push(`${new Date(this.now()).toISOString()} ${text}`);
    if (this.errors.length > 10) this.errors.shift();
    this.write('error', message, {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  };

  // A log that cannot be written must not stop the daemon.
  private write(level: string, message: string, fields: Record<string, unknown>): void {
    const line = `${this.redact(JSON.stringify({ at: new Date(this.now()).toISOString(), level, message, ...fields }))}\n`;
    try {
      if (this.size + line.length > limits.daemon.logBytes) this.rotate();
      appendFileSync(this.file, line, { mode: 0o600 });
      this.size += Buffer.byteLength(line);
    } catch {
      /* disk full: the spool and the store say so themselves */
    }
  }

  private rotate(): void {
    rmSync(`${this.file}.${limits.daemon.logFiles - 1}`, { force: true });
    for (let n = limits.daemon.logFiles - 2; n >= 0; n--) {
      try {
        renameSync(n === 0 ? this.file : `${this.file}.${n}`, `${this.file}.${n + 1}`);
      } catch {
        /* that one does not exist yet */
      }
    }
    this.size = 0;
  }
}
