/**
 * SessionStart events that carry the id of another session: before 2.1.325 a fork is reported under the id of the session that it
 * copies. The fold ignores them; the pane of the fork gets their directory once its session is known by its process.
 */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Folded } from '../../session/memory.ts';
import { limits } from '../../limits.ts';
import { type Options, startOptions } from './options.ts';

export class BorrowedStarts {
  /** By process. */
  private readonly starts = new Map<number, { event: Event; hook: Hook }>();

  get isEmpty(): boolean {
    return this.starts.size === 0;
  }

  /** Keeps an event that changed no session, if it is such a start. */
  add(event: Event, hook: Hook | null): void {
    const { pid } = event.context;
    if (event.source !== 'hook' || event.name !== 'SessionStart' || hook?.source !== 'resume') return;
    if (pid === undefined) return;
    this.starts.set(pid, { event, hook });
    const [oldest] = this.starts.keys();
    if (oldest !== undefined && this.starts.size > limits.tmux.unplacedPanes) this.starts.delete(oldest);
  }

  /** Returns what the start of this session sets on its pane, once; null when it had no such start. */
  take(session: Folded): Options | null {
    const start = session.pid === null ? undefined : this.starts.get(session.pid);
    if (!start || session.state === 'ended' || session.id === start.event.sessionId) return null;
    this.starts.delete(session.pid as number);
    return startOptions(session, start.event, start.hook);
  }
}
