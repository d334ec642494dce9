/** A tale: what sources say of sessions, told to the fold in order, with moments that pass as in the daemon. */
import type { Event, Source } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Session } from '../contract/session.ts';
import type { Commit } from '../live/loop.ts';
import { SessionIndex } from '../live/session-index.ts';
import { fold } from '../session/fold.ts';
import type { Folded } from '../session/memory.ts';

/** One thing that is said: when it happened, and how much later it is heard. */
export interface Said {
  at: number;
  lag?: number;
  source: Source;
  name: string;
  id?: string;
  pid?: number;
  fields?: Hook;
}

export const taleId = 'aaaaaaaa-0000-4000-8000-000000000001';

export const hook = (at: number, name: string, fields: Hook = {}): Said => ({
  at,
  source: 'hook',
  name,
  fields,
});
export const file = (at: number, status: string, waitingFor?: string): Said => ({
  at,
  lag: 10,
  source: 'file',
  name: 'FileStatus',
  pid: 100,
  fields: { pid: 100, status, ...(waitingFor !== undefined && { waitingFor }) },
});
export const transcript = (at: number, name: string, fields: Hook = {}): Said => ({
  at,
  source: 'transcript',
  name,
  fields,
});

export const label = ({ state, reason }: Pick<Session, 'state' | 'reason'>): string =>
  reason ? `${state}/${reason}` : state;

/** Folds one event into the sessionIndex; returns the sessions that it changed. */
export const tell = (sessionIndex: SessionIndex, seq: number, said: Said, seen: number): Folded[] =>
  commit(sessionIndex, seq, said, seen).changed.map(({ after }) => after);

const commit = (sessionIndex: SessionIndex, seq: number, said: Said, seen: number): Commit => {
  const { at, source, name, id = taleId, pid, fields = {} } = said;
  const event: Event = {
    seq,
    at,
    seen,
    source,
    name,
    sessionId: id,
    context: pid === undefined ? {} : { pid },
    raw: new Uint8Array(),
  };
  const overlay = sessionIndex.overlay();
  const changed = fold(overlay, event, fields).map(after => ({ before: overlay.put(frozen(after)), after }));
  overlay.settle();
  return { event, payload: fields, changed };
};

/** The fold writes into its own copies only: whatever it has returned cannot be changed any more. */
const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
};

/**
 * Tells it all, up to the moment `until`, and returns every state that was shown of the first session, in order. `heard` is
 * called as the loop's listeners are.
 */
export const tale = (
  says: Said[],
  until = 1_000_000,
  heard: (commit: Commit, payload: Hook) => void = () => {},
): { shown: string[]; session: Folded } => {
  const sessionIndex = new SessionIndex([]);
  const shown: string[] = [];
  let seq = 0;
  let clock = 0;
  const hear = (said: Said) => {
    heard(commit(sessionIndex, ++seq, said, clock), said.fields ?? {});
    const now = label(sessionIndex.get(taleId) as Folded);
    if (shown.at(-1) !== now) shown.push(now);
  };
  const pass = (to: number) => {
    for (let round = 0; round < 100; round++) {
      const due = sessionIndex.get(taleId)?.memory.due ?? null;
      if (due === null || due > to) break;
      clock = Math.max(clock, due);
      hear({ at: clock, source: 'drover', name: 'Settled' });
    }
    clock = Math.max(clock, to);
  };
  for (const said of says) {
    pass(said.at + (said.lag ?? 2));
    hear(said);
  }
  pass(until);
  return { shown, session: sessionIndex.get(taleId) as Folded };
};
