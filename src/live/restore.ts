/** Restores the sessions at the start from what is saved and the log, and saves them into a database that replaces a damaged one. */
import type { Event } from '../contract/event.ts';
import { isClockStep } from '../session/clock-step.ts';
import { snapshotDraft } from '../session/fold.ts';
import type { Store } from '../store/store.ts';
import { endsPeriod, saveEnded } from './ended-periods.ts';
import type { Commit } from './loop.ts';
import { type Overlay, SessionIndex } from './session-index.ts';

/** Loads the saved sessions and folds the events after them: none normally, all when the saved state was deleted. */
export const restore = (
  store: Store,
  apply: (event: Event, overlay: Overlay) => Commit['changed'],
): SessionIndex => {
  const { log, sessions } = store;
  const saved = sessions.load();
  const folded = Math.min(saved.folded, log.lastSeq());
  const sessionIndex = new SessionIndex(saved.sessions);
  let overlay = sessionIndex.overlay();
  let cursor = folded;
  let over: Commit['changed'] = [];
  const save = () => {
    store.write(() => {
      sessions.save(overlay.changed(), cursor);
      saveEnded(store, over);
    });
    over = [];
    overlay.merge();
    overlay = sessionIndex.overlay();
  };
  for (let pages = 1; ; pages++) {
    const events = log.read({ after: cursor, rows: 2_000, bytes: 16_000_000 });
    for (const event of events) {
      const changed = apply(event, overlay);
      if (!isClockStep(event)) over.push(...changed.filter(endsPeriod));
    }
    cursor = events.at(-1)?.seq ?? cursor;
    if (events.length === 0) break;
    // Each save rewrites every changed session, so save only every 100 pages.
    if (pages % 100 === 0) save();
  }
  if (cursor > folded) save();
  return sessionIndex;
};

/** Writes the state of every session into a new, empty database. */
export const saveSnapshots = (store: Store, sessionIndex: SessionIndex, seen: number): void => {
  const { log, sessions } = store;
  const all = sessionIndex.all();
  sessions.load();
  store.write(() => {
    const events = all.map(session => log.append(snapshotDraft(session), seen));
    const bytes = events.reduce((sum, { raw }) => sum + raw.length, 0);
    log.tally(events.length, bytes);
    sessions.save(all, events.at(-1)?.seq ?? log.lastSeq());
  });
};
