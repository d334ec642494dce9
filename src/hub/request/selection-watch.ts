/** Detects that somebody is using the terminal: the selection of the dialog moved within the last second. */
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import { identityOf } from '../../claude/screen/dialog.ts';
import { type Seen, selectedIn } from './terminal-screen.ts';

interface Watched {
  identity: string;
  selected: number;
  seenAt: number;
  /** When its selection was last seen to move; null when never. */
  movedAt: number | null;
}

export class SelectionWatch {
  /** What each terminal showed when it was last read. */
  private readonly last = new Map<string, Watched>();

  /** Remembers what was seen. Throws when the selection of the dialog moved less than a second ago. */
  assertFree(sessionId: string, { dialog, at }: Seen): void {
    const before = this.last.get(sessionId);
    this.last.delete(sessionId);
    if (!dialog) return;
    const identity = identityOf(dialog);
    const selected = selectedIn(dialog);
    const known = before?.identity === identity ? before : undefined;
    const isMoved = known && known.selected !== selected && at - known.seenAt < limits.screen.inUse;
    const movedAt = isMoved ? at : (known?.movedAt ?? null);
    this.last.set(sessionId, { identity, selected, seenAt: at, movedAt });
    this.trim();
    if (movedAt !== null && at - movedAt < limits.screen.inUse) throw inUseError();
  }

  /** Forgets what a terminal showed: Drover itself pressed a key there. */
  forget(sessionId: string): void {
    this.last.delete(sessionId);
  }

  /** Whether the selection may have moved just now: it is not where a dialog begins, and the terminal was just painted. */
  mayHaveMoved(seen: Seen, now: number): boolean {
    return seen.dialog !== null && selectedIn(seen.dialog) > 0 && isFresh(seen, now);
  }

  /** Whether it may have moved away and back: the terminal was just painted, long after the dialog. */
  mayHaveMovedBack(seen: Seen, askedAt: number, now: number): boolean {
    const sinceAsked = seen.pane.paintedAt * 1_000 - askedAt;
    return seen.pane.isAlone && isFresh(seen, now) && sinceAsked > limits.screen.painted;
  }

  private trim(): void {
    const [oldest] = this.last.keys();
    if (this.last.size > 1_000 && oldest !== undefined) this.last.delete(oldest);
  }
}

/** Whether the terminal was painted in this second or the last: tmux reports whole seconds. */
const isFresh = ({ pane }: Seen, now: number): boolean => Math.floor(now / 1_000) - pane.paintedAt <= 1;

/** The error when somebody is at the terminal. */
export const inUseError = (): DroverError =>
  new DroverError('refused', 'Someone is using that terminal.', 'Nothing was pressed. Try again.');
