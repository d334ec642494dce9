/** Tell whether a tmux server did anything since its panes were listed. One that did nothing has renamed and moved nothing. */
import { limits } from '../limits.ts';
import { activityOf } from '../platform/processes.ts';

export class ServerActivity {
  private pids: number[] = [];
  /** What the servers had done by then; null until that is known. */
  private noted: string | null = null;
  private timer: NodeJS.Timeout | undefined;

  /** Remember what these servers have done so far, after a pause: the end of our own call must not count as activity. */
  note(pids: number[]): void {
    clearTimeout(this.timer);
    this.noted = null;
    this.pids = [...new Set(pids)];
    this.timer = setTimeout(() => {
      this.noted = this.read();
    }, limits.panes.ownActivity).unref();
  }

  /** Null when it is not known. */
  hasChanged(): boolean | null {
    const now = this.noted === null ? null : this.read();
    return now === null ? null : now !== this.noted;
  }

  private read(): string | null {
    const counts = this.pids.map(activityOf);
    return counts.includes(null) ? null : counts.join(' ');
  }
}
