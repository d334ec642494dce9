/**
 * A Stop or PreCompact that waits for agents. It ends once: with the first answer that decides, when all agents have
 * abstained, at its deadline, when somebody acts in the terminal, or when the hook is gone.
 */
import { type FSWatcher, watch } from 'node:fs';
import { type Clock, schedule } from '../../clock.ts';
import { queuedPrompt } from '../../claude/screen/queued-prompt.ts';

/** What ended it. */
export type EndedBy = 'answer' | 'nothing' | 'deadline' | 'terminal' | 'gone';

export class PendingDecision {
  /** Agents that have not answered. */
  private left = 0;
  private by: EndedBy | null = null;
  private waiter: ((output: string | null) => void) | null = null;
  private readonly cancelDeadline: () => void;
  private watcher: FSWatcher | null = null;
  private readonly waits = new Set<() => void>();

  constructor(
    readonly sessionId: string,
    readonly hook: string,
    readonly seq: number,
    /** When the hook fired, and the transcript that shows what a person types while it waits. */
    private readonly since: number,
    private readonly transcript: string | null,
    ms: number,
    private readonly clock: Clock,
  ) {
    this.cancelDeadline = schedule(clock, ms, () => this.end('deadline', null));
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
    if (this.left <= 0) this.end('nothing', null);
  }

  /** Waits for the hook's output. A duplicate, where plugin and settings both registered the hook, prints nothing. */
  wait(onLeave: (gone: () => void) => void): Promise<string | null> {
    if (this.waiter || this.by !== null) return Promise.resolve(null);
    return new Promise(resolve => {
      this.waiter = resolve;
      for (const wake of this.waits) wake();
      onLeave(() => this.end('gone', null));
      this.watchTerminal();
    });
  }

  /** Gives the hook its output; false when the decision has ended, or no hook connects in time. */
  async decide(output: string, ms: number): Promise<boolean> {
    if (this.by === null && !this.waiter) await this.hookConnected(ms);
    if (this.by !== null || !this.waiter) return false;
    this.end('answer', output);
    return true;
  }

  end(by: EndedBy, output: string | null): void {
    if (this.by !== null) return;
    this.by = by;
    this.cancelDeadline();
    this.watcher?.close();
    this.waiter?.(output);
    for (const wake of this.waits) wake();
  }

  private hookConnected(ms: number): Promise<void> {
    return new Promise(done => {
      const wake = () => {
        cancel();
        this.waits.delete(wake);
        done();
      };
      const cancel = schedule(this.clock, ms, wake);
      this.waits.add(wake);
    });
  }

  /** The CLI holds back a prompt that a person sends while the hook waits. That prompt wins. */
  private watchTerminal(): void {
    const { transcript } = this;
    if (transcript === null || this.by !== null) return;
    const check = () => {
      if (queuedPrompt(transcript, this.since) !== null) this.end('terminal', null);
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
