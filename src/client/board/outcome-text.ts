/** What the board and the page say after a command was executed. */
import type { Pane } from '../../contract/session.ts';
import type { SessionCommand } from './state.ts';

/** The first word of a notice about several sessions. */
export const pastVerbs: { [Kind in SessionCommand['kind']]?: string } & Record<
  'skip' | 'snooze' | 'dismiss',
  string
> = {
  skip: 'Skipped',
  snooze: 'Snoozed',
  dismiss: 'Dismissed',
  park: 'Parked',
  message: 'Sent to',
  undo: 'Requeued',
};

export const interruptedText = 'Interrupted.';

export const undoneText = 'Back in the queue.';

/** Why no session comes next; `waiting` is the number of those that wait. */
export const noNextText = (waiting: number): string =>
  waiting > 0 ? 'No other session is waiting; the rest are deferred.' : 'No session is waiting.';

/** `pane` is where the session runs now, if that is known. */
export const resumedText = (pane: Pick<Pane, 'id'> | null): string =>
  pane ? `Resumed in pane ${pane.id}.` : 'Resumed.';

export const renamedText = (title: string | null): string =>
  title === null ? 'Title removed.' : `Renamed to ${title}.`;
