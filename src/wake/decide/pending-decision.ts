/**
 * A Stop or PreCompact that waits for agents. It ends once: with the first answer that decides, when all agents have
 * abstained, at its deadline, when somebody acts in the terminal, or when the hook is gone.
 */
import { type FSWatcher, watch } from 'node:fs';
import { type Clock, schedule } from '../../clock.ts';
import type { WaitingHook } from '../../hook/waiting-hooks.ts';
import { queuedPrompt } from '../../claude/screen/queued-prompt.ts';

/** What ended it. */
export type EndedBy = 'answer' | 'nothing' | 'deadline' | 'terminal' | 'gone';

export class PendingDecision {
  /** Agents that have not answered. */
  private left = 0;
  private by: EndedBy | null = null;
  private waiter: WaitingHook | null = null;
  private readonly cancelDeadline: () => void;
  private watcher: FSWatcher | null = null;

  constructor(
    readonly sessionId: string,
    readonly hook: string,
    readonly seq: number,
    /** When the hook fired, and the transcript that shows what a person types while it waits. */
    private readonly since: number,
    private readonly transcript: string | null,
    ms: number,
    clock: Clock,
  ) {
    this.cancelDeadline = schedule(clock, ms, () => void this.end('deadline', null));
  }

  get endedBy(): EndedBy | null {
    return this.by;
  }

  /** Adds one more agent to wait for. */
  addAgent(): void {
    this.left++;
  }

  /** An agent decided nothing. */
  abstain(): void {
    this.left--;
    if (this.left <= 0) void this.end('nothing', null);
  }

  /** Takes the hook that waits for its output. A duplicate, where plugin and settings both registered the hook, prints nothing. */
  onHook(hook: WaitingHook): void {
    if (this.waiter || this.by !== null) {
      void hook.respond(null);
      return;
    }
    this.waiter = hook;
    hook.onGone = () => void this.end('gone', null);
    this.watchTerminal();
  }

  /** Gives the hook its output; false when the decision has ended, or the hook is gone. */
  async decide(output: string): Promise<boolean> {
    if (this.by !== null || !this.waiter) return false;
    if (!this.waiter.isThere()) {
      void this.end('gone', null);
      return false;
    }
    return this.end('answer', output);
  }

  /** Resolves with whether the hook has got the output. */
  end(by: EndedBy, output: string | null): Promise<boolean> {
    if (this.by !== null) return Promise.resolve(false);
    this.by = by;
    this.cancelDeadline();
    this.watcher?.close();
    return this.waiter?.respond(output) ?? Promise.resolve(false);
  }

  /** The CLI holds back a prompt that a person sends while the hook waits. That prompt wins. */
  private watchTerminal(): void {
    const { transcript } = this;
    if (transcript === null || this.by !== null) return;
    const check = () => {
      if (queuedPrompt(transcript, this.since) !== null) void this.end('terminal', null);
    };
    try {
      this.watcher = watch(transcript, check);
      this.watcher.on('error', () => {});
    } catch {
      // Without a transcript there is nothing to block yet.
    }
    check();
  }
}

/** The reasons, for the record. */
export const endReasons: Record<EndedBy, string> = {
  answer: 'another agent answered first',
  nothing: 'the session had continued',
  deadline: 'it timed out',
  terminal: 'somebody acted in the terminal',
  gone: 'the hook was gone',
};
