/**
 * A Stop or PreCompact that waits for agents. It ends with the first answer that decides, when all have said that they decide
 * nothing, at its time, when somebody acts in the terminal, or when the hook is gone; and always only once.
 */
import { type FSWatcher, watch } from 'node:fs';
import { queuedPrompt } from '../../claude/queued-prompt.ts';

/** What ended it. */
export type EndedBy = 'answer' | 'nothing' | 'deadline' | 'terminal' | 'gone';

export class Question {
  /** Agents that have not answered. */
  private left = 0;
  private by: EndedBy | null = null;
  private waiter: ((output: string | null) => void) | null = null;
  private readonly timer: NodeJS.Timeout;
  private watcher: FSWatcher | null = null;
  private readonly waits = new Set<() => void>();

  constructor(
    readonly sessionId: string,
    readonly hook: string,
    readonly seq: number,
    /** When the hook fired, and the transcript that shows what somebody types meanwhile. */
    private readonly since: number,
    private readonly transcript: string | null,
    ms: number,
  ) {
    this.timer = setTimeout(() => this.end('deadline', null), ms);
    this.timer.unref();
  }

  get endedBy(): EndedBy | null {
    return this.by;
  }

  /** One more agent is asked. */
  ask(): void {
    this.left++;
  }

  /** An agent decided nothing. */
  pass(): void {
    this.left--;
    if (this.left <= 0) this.end('nothing', null);
  }

  /** What the hook is to print. Its twin, where plugin and settings both registered one, prints nothing. */
  wait(leaves: (gone: () => void) => void): Promise<string | null> {
    if (this.waiter || this.by !== null) return Promise.resolve(null);
    return new Promise(resolve => {
      this.waiter = resolve;
      for (const wake of this.waits) wake();
      leaves(() => this.end('gone', null));
      this.watchTerminal();
    });
  }

  /** Gives the hook its output; false when it is over already, or no hook comes to wait within the time. */
  async decide(output: string, ms: number): Promise<boolean> {
    if (this.by === null && !this.waiter) await this.attached(ms);
    if (this.by !== null || !this.waiter) return false;
    this.end('answer', output);
    return true;
  }

  end(by: EndedBy, output: string | null): void {
    if (this.by !== null) return;
    this.by = by;
    clearTimeout(this.timer);
    this.watcher?.close();
    this.waiter?.(output);
    for (const wake of this.waits) wake();
  }

  private attached(ms: number): Promise<void> {
    return new Promise(done => {
      const wake = () => {
        clearTimeout(timer);
        this.waits.delete(wake);
        done();
      };
      const timer = setTimeout(wake, ms);
      this.waits.add(wake);
    });
  }

  /** A prompt that somebody sends while the hook waits is kept back by the CLI until it is over: it goes first. */
  private watchTerminal(): void {
    const { transcript } = this;
    if (transcript === null || this.by !== null) return;
    const look = () => {
      if (queuedPrompt(transcript, this.since) !== null) this.end('terminal', null);
    };
    try {
      this.watcher = watch(transcript, look);
      this.watcher.on('error', () => {});
    } catch {
      // There is no transcript yet, so nothing was said that could be blocked.
    }
    look();
  }
}

/** What ended it, in words. */
export const endings: Record<EndedBy, string> = {
  answer: 'another agent was faster',
  nothing: 'the session had gone on',
  deadline: 'its time was over',
  terminal: 'somebody acted in the terminal',
  gone: 'the hook was gone',
};
