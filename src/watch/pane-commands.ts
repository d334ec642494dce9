/** Find panes that may run a new program since the last check, by the command that tmux shows for them. */
import { limits } from '../limits.ts';
import type { TmuxPane } from '../tmux/server/panes.ts';

export class PaneCommands {
  /** What each pane ran, since when, and when it counted as changed last. */
  private readonly panes = new Map<string, { runs: string; since: number; readAt: number }>();

  /** True for a pane with a new command, while that may still start a CLI; for other panes only from time to time. */
  mayHaveChanged({ socket, serverPid, id, pid, command }: TmuxPane, now: number): boolean {
    const key = `${socket} ${serverPid} ${id}`;
    const runs = `${pid} ${command}`;
    const before = this.panes.get(key);
    const since = before?.runs === runs ? before.since : now;
    const isYoung = now - since <= limits.watch.youngProcess;
    const isDue = now - (before?.readAt ?? 0) >= limits.panes.quietScan;
    if (!isYoung && !isDue) return false;
    this.panes.delete(key);
    this.panes.set(key, { runs, since, readAt: now });
    const [oldest] = this.panes.keys();
    if (oldest !== undefined && this.panes.size > limits.watch.paneCommands) this.panes.delete(oldest);
    return true;
  }
}
