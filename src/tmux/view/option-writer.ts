/**
 * Write options to one server in batches, one tmux process each. The first change is written at once; changes shortly after
 * it share the next batch, so that many sessions cost no more than one.
 */
import { limits } from '../../limits.ts';
import { paneLine, serverLine, type Target } from './batch.ts';
import type { Options } from './options.ts';
import { tmux } from '../server/run.ts';

export class OptionWriter {
  private readonly panes = new Map<string, { target: Target; options: Options }>();
  private server: Options = {};
  private timer: NodeJS.Timeout | NodeJS.Immediate | null = null;
  private writing = false;
  private last = Number.NEGATIVE_INFINITY;

  constructor(private readonly socket: string) {}

  /** Set options of a pane; the newest value of each wins. */
  pane(target: Target, options: Options): void {
    const key = `${target.serverPid} ${target.pane}`;
    const pending = this.panes.get(key);
    this.panes.set(key, { target, options: { ...pending?.options, ...options } });
    this.schedule();
  }

  /** Set server options. */
  all(options: Options): void {
    if (Object.keys(options).length === 0) return;
    this.server = { ...this.server, ...options };
    this.schedule();
  }

  close(): void {
    if (this.timer) {
      clearTimeout(this.timer as NodeJS.Timeout);
      clearImmediate(this.timer as NodeJS.Immediate);
    }
    this.panes.clear();
    this.server = {};
  }

  private schedule(): void {
    if (this.timer || this.writing) return;
    const wait = this.last + limits.tmux.batchPause - performance.now();
    this.timer =
      wait <= 0 ? setImmediate(() => void this.flush()) : setTimeout(() => void this.flush(), wait).unref();
  }

  private async flush(): Promise<void> {
    this.timer = null;
    const lines = [...this.panes.values()].map(({ target, options }) => paneLine(target, options));
    if (Object.keys(this.server).length > 0) lines.push(serverLine(this.server));
    this.panes.clear();
    this.server = {};
    this.last = performance.now();
    this.writing = true;
    // A pane or server that has disappeared is not an error. If tmux cannot be started, the next change tries again.
    await tmux(this.socket, ['source-file', '-q', '-'], { input: `${lines.join('\n')}\n` }).catch(() => {});
    this.writing = false;
    if (this.panes.size > 0 || Object.keys(this.server).length > 0) this.schedule();
  }
}
