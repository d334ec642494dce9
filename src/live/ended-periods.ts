/** The waits and spans that changes of sessions end. They are saved in the transaction of the event. */
import { spanOver } from '../session/history/span.ts';
import { waitOver } from '../session/history/wait.ts';
import type { Store } from '../store/store.ts';
import type { Commit } from './loop.ts';

export const saveEnded = ({ waits, spans }: Store, changed: Commit['changed']): void => {
  for (const { before, after } of changed) {
    const wait = waitOver(before, after);
    if (wait) waits.add(wait);
    const span = spanOver(before, after);
    if (span) spans.add(span);
  }
};

/** Whether the change ended a wait or a span. */
export const endsPeriod = ({ before, after }: Commit['changed'][number]): boolean =>
  waitOver(before, after) !== null || spanOver(before, after) !== null;
