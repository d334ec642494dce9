/** Deletes sessions on request, from the log and everything derived from it, and overwrites them on disk. */
import type { Forget, Forgotten } from '../contract/api.ts';
import type { Session } from '../contract/session.ts';
import type { Aside } from '../hook/aside.ts';
import type { Store } from '../store/store.ts';
import type { SessionIndex } from './session-index.ts';
import type { Streams } from './streams.ts';

/** Deletes one session, all whose last event is older than `before`, or everything. */
export const forget = (
  store: Store,
  sessionIndex: SessionIndex,
  streams: Pick<Streams, 'drop'>,
  aside: Aside,
  input: Forget,
): Forgotten => {
  const gone = sessionIndex.all().filter(session => isSelected(session, input));
  const events = store.erase(() => {
    let count = 0;
    for (const session of gone) {
      count += store.log.removeOf(session.id).events;
      store.sessions.remove(session.id);
      store.waits.removeOf(session.id);
      store.spans.removeOf(session.id);
      store.receipts.removeOf(session.id);
      store.wakes.removeOf(session.id);
      store.changes.removeOf(session.id);
    }
    if (input.before !== undefined)
      count += store.log.removeWithoutSession(store.log.lastBefore(input.before)).events;
    if (input.all) count += store.log.removeAll().events;
    store.receipts.removeBefore(input.all ? Number.MAX_SAFE_INTEGER : (input.before ?? 0));
    store.waits.removeBefore(input.all ? Number.MAX_SAFE_INTEGER : (input.before ?? 0));
    store.wakes.removeBefore(input.all ? Number.MAX_SAFE_INTEGER : (input.before ?? 0));
    store.spans.removeBefore(input.all ? Number.MAX_SAFE_INTEGER : (input.before ?? 0));
    store.changes.removeBefore(input.all ? Number.MAX_SAFE_INTEGER : (input.before ?? 0));
    store.audit.clearTextsOfRemoved();
    return count;
  });
  for (const session of gone) sessionIndex.remove(session.id);
  streams.drop(gone.map(({ id }) => id));
  if (input.id === undefined) aside.clear(input.before ?? Number.POSITIVE_INFINITY);
  return { sessions: gone.length, events };
};

const isSelected = (session: Session, input: Forget): boolean =>
  input.all === true ||
  session.id === input.id ||
  (input.before !== undefined && session.touched < input.before);
