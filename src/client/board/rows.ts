/** The rows of the board in the order of need. */
import type { Deferred } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import { isQueued, queueOf } from '../../session/queue.ts';
import type { Board } from './state.ts';

export type Group = 'waiting' | 'deferred' | 'working' | 'ready' | 'ended';

export interface Row {
  session: Session;
  group: Group;
  /** Its position among the waiting sessions that are not deferred. */
  position: number | null;
  deferred: Deferred | null;
  until: number | null;
}

/** Every row that the filter lets through, in the order of need. */
export const rowsOf = (board: Board, now: number): Row[] => {
  const sessions = Array.from(board.sessions.values()).filter(
    session => !session.headless && matches(session, board.filter),
  );
  const queue = queueOf(sessions, now, board.order).map(({ session, deferred, until }) => ({
    session,
    deferred,
    until,
  }));
  const free = queue.filter(({ deferred }) => deferred === null);
  const deferred = queue.filter(row => row.deferred !== null);
  const rest = (group: Group, ...states: Session['state'][]): Row[] =>
    sessions
      .filter(session => states.includes(session.state) && !isQueued(session))
      .sort((a, b) => b.since - a.since || (a.id < b.id ? -1 : 1))
      .map(session => ({ session, group, position: null, deferred: null, until: null }));
  return [
    ...free.map((row, n) => ({ ...row, group: 'waiting' as const, position: n + 1 })),
    ...deferred.map(row => ({ ...row, group: 'deferred' as const, position: null })),
    ...rest('working', 'working', 'background'),
    ...rest('ready', 'ready'),
    ...rest('ended', 'ended'),
  ];
};

/** Where the selection is; -1 when there is nothing to select. */
export const selectedIn = (board: Board, rows: Row[]): number => {
  const found = rows.findIndex(({ session }) => session.id === board.selected);
  return found >= 0 ? found : rows.length ? 0 : -1;
};

/** The selected session. */
export const selectedSession = (board: Board, now: number): Session | undefined => {
  const rows = rowsOf(board, now);
  return rows[selectedIn(board, rows)]?.session;
};

/** The first row to show so that the selected one is in sight, given how many fit. */
export const firstShown = (selected: number, count: number, room: number): number =>
  Math.max(0, Math.min(selected - Math.floor(room / 2), count - room));

/** Every word of the filter is in the id, the project, the state, the pane or what is asked. */
const matches = (session: Session, filter: string): boolean => {
  if (filter.trim() === '') return true;
  const { id, state, reason, project, dir, pane, detail } = session;
  const text = [id, state, reason, project, dir, pane?.session, pane?.window, detail?.line]
    .join(' ')
    .toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
};
