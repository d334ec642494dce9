/**
 * Counts repeated refusals of a program. The first one is recorded; those that follow within the window share one entry, so that a
 * program cannot fill the audit.
 */
import { type Clock, schedule } from '../clock.ts';
import { ownerName, programKinds } from '../contract/caller.ts';
import { DroverError } from '../contract/error.ts';
import { limits } from '../limits.ts';
import type { Action } from './audit.ts';

interface Repeated {
  last: Action;
  count: number;
  cancel: () => void;
}

export class Refusals {
  private readonly open = new Map<string, Repeated>();

  constructor(
    private readonly clock: Clock,
    /** Records the entry of several refusals. */
    private readonly write: (action: Action) => void,
  ) {}

  /** Whether this refusal is only counted, because the same one was recorded a short time ago. */
  isRepeated(action: Action): boolean {
    const { caller, error } = action;
    // What is done with the user's own token is recorded each time, as the user's commands are.
    const isUser = !programKinds.includes(caller.kind) || caller.name === ownerName;
    if (error === undefined || isUser) return false;
    const key = this.keyOf(action, error);
    const known = this.open.get(key);
    if (!known) {
      this.open.set(key, { last: action, count: 0, cancel: this.scheduleEnd(key) });
      return false;
    }
    known.last = action;
    known.count++;
    return true;
  }

  close(): void {
    for (const key of this.open.keys()) this.end(key);
  }

  private keyOf({ action, caller: { kind, name } }: Action, error: unknown): string {
    const code = error instanceof DroverError ? error.code : 'internal';
    const key = JSON.stringify([kind, name, action, code]);
    return this.open.has(key) || this.open.size < limits.audit.refusals ? key : kind;
  }

  private scheduleEnd(key: string): () => void {
    return schedule(this.clock, limits.audit.refusalWindow, () => {
      const known = this.open.get(key);
      this.end(key);
      // It goes on: the next ones share an entry too.
      if (known && known.count > 0) this.open.set(key, { ...known, count: 0, cancel: this.scheduleEnd(key) });
    });
  }

  private end(key: string): void {
    const known = this.open.get(key);
    if (!known) return;
    known.cancel();
    this.open.delete(key);
    const { last, count } = known;
    if (count > 0) this.write({ ...last, session: null, requestId: undefined, text: repeatedText(count) });
  }
}

const repeatedText = (count: number): string =>
  `${count} more ${count === 1 ? 'attempt' : 'attempts'} in ${limits.audit.refusalWindow / 60_000} min`;
