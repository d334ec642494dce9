/** Runs a script of events through the fold, in order, with `Settled` events as in the daemon. */
import type { Event, Source } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Session } from '../contract/session.ts';
import type { Commit } from '../live/loop.ts';
import { SessionIndex } from '../live/session-index.ts';
import { fold } from '../session/fold.ts';
import type { Folded } from '../session/memory.ts';
import { type Budgets, defaultBudgets } from '../session/timing.ts';

/** One event: when it happened, and how much later it arrives. */
export interface ScriptEvent {
  at: number;
  lag?: number;
  source: Source;
  name: string;
  id?: string;
  pid?: number;
  /** Its pane, in the one tmux server of the script. */
  pane?: string;
  fields?: Hook;
}

export const scriptId = 'aaaaaaaa-0000-4000-8000-000000000001';

export const hook = (at: number, name: string, fields: Hook = {}): ScriptEvent => ({
  at,
  source: 'hook',
  name,
  fields,
});
export const file = (at: number, status: string, waitingFor?: string): ScriptEvent => ({
  at,
  lag: 10,
  source: 'file',
  name: 'FileStatus',
  pid: 100,
  fields: { pid: 100, status, ...(waitingFor !== undefined && { waitingFor }) },
});
export const transcript = (at: number, name: string, fields: Hook = {}): ScriptEvent => ({
  at,
  source: 'transcript',
  name,
  fields,
});

export const label = ({ state, reason }: Pick<Session, 'state' | 'reason'>): string =>
  reason ? `${state}/${reason}` : state;

/** Folds one event into the index; returns the sessions that it changed. */
export const foldEvent = (
  sessionIndex: SessionIndex,
  seq: number,
  item: ScriptEvent,
  seen: number,
  budgets?: Budgets,
): Folded[] => commit(sessionIndex, seq, item, seen, budgets).changed.map(({ after }) => after);

const commit = (
  sessionIndex: SessionIndex,
  seq: number,
  item: ScriptEvent,
  seen: number,
  budgets: Budgets = defaultBudgets,
): Commit => {
  const { at, source, name, id = scriptId, pid, pane, fields = {} } = item;
  const event: Event = {
    seq,
    at,
    seen,
    source,
    name,
    sessionId: id,
    context: {
      ...(pid !== undefined && { pid }),
      ...(pane !== undefined && { socket: '/tmux', serverPid: 1, pane }),
    },
    raw: new Uint8Array(),
  };
  const overlay = sessionIndex.overlay();
  const changed = fold(overlay, event, fields, budgets).map(after => ({
    before: overlay.put(frozen(after)),
    after,
  }));
  overlay.merge();
  return { event, payload: fields, changed };
};

/** Freezes what the fold returned: it may change its own copies only. */
const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
};

/**
 * Runs the script up to the time `until`, and returns every state that the first session showed, in order. `onCommit` is
 * called as views are.
 */
export const runScript = (
  script: ScriptEvent[],
  until = 1_000_000,
  onCommit: (commit: Commit, payload: Hook) => void = () => {},
  budgets?: Budgets,
): { shown: string[]; session: Folded } => {
  const sessionIndex = new SessionIndex([]);
  const shown: string[] = [];
  let seq = 0;
  let clock = 0;
  const apply = (item: ScriptEvent) => {
    onCommit(commit(sessionIndex, ++seq, item, clock, budgets), item.fields ?? {});
    const now = label(sessionIndex.get(scriptId) as Folded);
    if (shown.at(-1) !== now) shown.push(now);
  };
  const pass = (to: number) => {
    for (let round = 0; round < 100; round++) {
      const due = sessionIndex.get(scriptId)?.memory.due ?? null;
      if (due === null || due > to) break;
      clock = Math.max(clock, due);
      apply({ at: clock, source: 'drover', name: 'Settled' });
    }
    clock = Math.max(clock, to);
  };
  for (const item of script) {
    pass(item.at + (item.lag ?? 2));
    apply(item);
  }
  pass(until);
  return { shown, session: sessionIndex.get(scriptId) as Folded };
};
