/** Forgetting on request: from the log and from everything derived from it, overwritten on disk. */
import type { Forget, Forgotten } from '../contract/api.ts';
import type { Session } from '../contract/session.ts';
import type { Aside } from '../hook/aside.ts';
import type { Store } from '../store/store.ts';
import type { SessionIndex } from './session-index.ts';
import type { Streams } from './streams.ts';

/** Clears one session, all whose last event is older than `before`, or everything. */
export const forget = (
  store: Store,
  sessionIndex: SessionIndex,
  streams: Pick<Streams, 'drop'>,
  aside: Aside,
  wish: Forget,
): Forgotten => {
  const gone = sessionIndex.all().filter(session => isMeant(session, wish));
  const events = store.erase(() => {
    let count = 0;
    for (const session of gone) {
      count += store.log.removeOf(session.id).events;
      store.sessions.remove(session.id);
      store.waits.removeOf(session.id);
      store.spans.removeOf(session.id);
      store.receipts.removeOf(session.id);
      store.wakes.removeOf(session.id);
    }
    if (wish.before !== undefined)
      count += store.log.removeOwnerless(store.log.lastBefore(wish.before)).events;
    if (wish.all) count += store.log.removeAll().events;
    store.receipts.removeBefore(wish.all ? Number.MAX_SAFE_INTEGER : (wish.before ?? 0));
    store.waits.removeBefore(wish.all ? Number.MAX_SAFE_INTEGER : (wish.before ?? 0));
    store.wakes.removeBefore(wish.all ? Number.MAX_SAFE_INTEGER : (wish.before ?? 0));
    store.spans.removeBefore(wish.all ? Number.MAX_SAFE_INTEGER : (wish.before ?? 0));
    store.audit.stripGone();
    return count;
  });
  for (const session of gone) sessionIndex.remove(session.id);
  streams.drop(gone.map(({ id }) => id));
  if (wish.id === undefined) aside.clear(wish.before ?? Number.POSITIVE_INFINITY);
  return { sessions: gone.length, events };
};

const isMeant = (session: Session, wish: Forget): boolean =>
  wish.all === true || session.id === wish.id || (wish.before !== undefined && session.touched < wish.before);
