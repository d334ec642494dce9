/** Restores the sessions at the start from what is saved and the log, and saves them into a database that replaces a damaged one. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import { parseText } from '../hook/payload.ts';
import { isClockStep } from '../session/clock-step.ts';
import { fold, snapshotDraft } from '../session/fold.ts';
import type { Budgets } from '../session/timing.ts';
import { isDamage } from '../store/sqlite-error.ts';
import type { Store } from '../store/store.ts';
import { endsPeriod, saveEnded } from './ended-periods.ts';
import type { Commit } from './loop.ts';
import { type Overlay, SessionIndex } from './session-index.ts';

type OnError = (message: string, error: unknown) => void;

/** Called between two pages with the part of the log that has been read, 0 to 1. */
export type OnProgress = (read: number) => Promise<void>;

/** Loads the saved sessions and folds the events after them: none normally, all when the saved state was deleted. */
export const restore = (store: Store, budgets: Budgets, onError: OnError): SessionIndex => {
  const steps = restoring(store, budgets, onError);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

/** The same in steps, so that a large log does not block the process. */
export const restoreInSteps = async (
  store: Store,
  budgets: Budgets,
  onError: OnError,
  onProgress: OnProgress,
): Promise<SessionIndex> => {
  try {
    const steps = restoring(store, budgets, onError);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      await onProgress(step.value);
    }
  } catch (error) {
    // By now a new database has replaced it.
    if (!isDamage(error)) throw error;
    return restore(store, budgets, onError);
  }
};

/** Rows of a page. They die young: with more of them the garbage collector has to move them. */
const pageRows = 250;
/** Each save rewrites every changed session. */
const savedPages = 800;

function* restoring(store: Store, budgets: Budgets, onError: OnError): Generator<number, SessionIndex> {
  const { log, sessions } = store;
  const saved = sessions.load();
  const last = log.lastSeq();
  const folded = Math.min(saved.folded, last);
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
    const page = log.readToFold(cursor, pageRows);
    if (page.cursor === cursor) break;
    for (const { event, text } of page.events) {
      const changed = applyEvent(event, parseText(text), overlay, budgets, onError);
      if (!isClockStep(event)) over.push(...changed.filter(endsPeriod));
    }
    cursor = page.cursor;
    if (pages % savedPages === 0) save();
    yield (cursor - folded) / Math.max(1, last - folded);
  }
  if (cursor > folded) save();
  return sessionIndex;
}

/** Folds an event into the sessions. It is kept even if the fold throws; its session then stays as it was. */
export const applyEvent = (
  event: Event,
  payload: Hook | null,
  overlay: Overlay,
  budgets: Budgets,
  onError: OnError,
): Commit['changed'] => {
  try {
    const changed = fold(overlay, event, payload, budgets);
    return changed.map(after => ({ before: overlay.put(after), after }));
  } catch (error) {
    onError(`event ${event.seq} could not be folded`, error);
    return [];
  }
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
