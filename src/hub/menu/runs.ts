/** The runs of commands: those in progress, and the last finished ones. A session has one at a time. */
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import { reduceRun, type Run, type RunChange, type RunningRun } from '../../session/command/command-run.ts';

export class Runs {
  private readonly bySession = new Map<string, Run>();

  of(sessionId: string): Run | undefined {
    return this.bySession.get(sessionId);
  }

  /** Adds a run; the oldest finished ones are forgotten. */
  add(run: Run): void {
    this.bySession.delete(run.sessionId);
    this.bySession.set(run.sessionId, run);
    for (const [sessionId, { status }] of this.bySession)
      if (this.bySession.size > limits.command.finishedRuns && status !== 'running')
        this.bySession.delete(sessionId);
  }

  remove(id: string): void {
    for (const [sessionId, run] of this.bySession) if (run.id === id) this.bySession.delete(sessionId);
  }

  /** Throws when it was forgotten. */
  named(id: string): Run {
    const run = [...this.bySession.values()].find(one => one.id === id);
    if (!run) throw new DroverError('failed', 'The commands were forgotten.');
    return run;
  }

  allRunning(): RunningRun[] {
    return [...this.bySession.values()].filter(run => run.status === 'running');
  }

  running(id: string): RunningRun | undefined {
    return this.allRunning().find(run => run.id === id);
  }

  /** Applies a change; returns null where it does not apply. */
  change(id: string, change: RunChange): Run | null {
    const before = this.running(id);
    const after = before && reduceRun(before, change);
    if (!before || !after) return null;
    if (after.sessionId !== before.sessionId) this.bySession.delete(before.sessionId);
    this.bySession.set(after.sessionId, after);
    return after;
  }
}
