/** The rows of the board, those that need you first. */
import { boardLimits } from '../../board-limits.ts';
import type { Deferred } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import { passesFilter } from '../../session/queue/filter.ts';
import { isQueued, queueOf } from '../../session/queue/queue.ts';
import { isUnseen } from '../../session/state-text.ts';
import { isStale } from '../fleet-text.ts';
import type { Board } from './state.ts';

/** `away`: sessions of hosts that send no heartbeat, as they were last known. */
export type Group = 'waiting' | 'deferred' | 'working' | 'ready' | 'limit' | 'away' | 'parked' | 'ended';

export interface Row {
  session: Session;
  group: Group;
  /** Its position in the queue, deferred sessions left out. */
  position: number | null;
  deferred: Deferred | null;
  /** When the deferral ends, ms; null where only a change of its state ends it. */
  until: number | null;
}

/** Lists every row that passes the filter, those that need you first. */
export const rowsOf = (board: Board, now: number): Row[] => {
  const all = Array.from(board.sessions.values()).filter(
    session => !session.headless && !isPassedDialog(session) && passesFilter(session, board.filter),
  );
  const sessions = all.filter(session => !isStale(session));
  const queue = queueOf(sessions, now, board.order).map(({ session, deferred, until }) => ({
    session,
    deferred,
    until,
  }));
  const rest = (group: Group, ...states: Session['state'][]): Row[] =>
    sessions
      .filter(session => states.includes(session.state) && !isQueued(session))
      .filter(session => session.parked === (group === 'parked'))
      .sort(bySince)
      .map(session => ({ session, group, position: null, deferred: null, until: null }));
  return [
    ...queue
      .filter(({ deferred }) => deferred === null)
      .map((row, n) => ({ ...row, group: 'waiting' as const, position: n + 1 })),
    ...queue
      .filter(({ deferred }) => deferred !== null)
      .map(row => ({ ...row, group: 'deferred' as const, position: null })),
    ...rest('working', 'working', 'background'),
    ...rest('ready', 'ready'),
    ...rest('limit', 'waiting'),
    ...all
      .filter(isStale)
      .sort(bySince)
      .map(session => ({ session, group: 'away' as const, position: null, deferred: null, until: null })),
    ...rest('parked', 'ended'),
    ...rest('ended', 'ended'),
  ];
};

const bySince = (a: Session, b: Session): number => b.since - a.since || (a.id < b.id ? -1 : 1);

/** A start-up dialog that was answered: the session that it led to has its own row. */
const isPassedDialog = ({ id, state, next }: Session): boolean =>
  id.startsWith('startup-') && state === 'ended' && next !== null;

/** The index of the selected row; -1 without rows. */
export const selectedIn = (board: Board, rows: Row[]): number => {
  const found = rows.findIndex(({ session }) => session.id === board.selected);
  return found >= 0 ? found : rows.length ? 0 : -1;
};

export const selectedSession = (board: Board, now: number): Session | undefined => {
  const rows = rowsOf(board, now);
  return rows[selectedIn(board, rows)]?.session;
};

/** The finished session that the user chose and has had on the screen for a while; null: none. */
export const sessionLookedAt = (board: Board, now: number): string | null => {
  const session = board.sessions.get(board.selected ?? '');
  const isLong = now - board.selectedAt >= boardLimits.seenAfter;
  return session && isLong && isUnseen(session) ? session.id : null;
};

/** The first row to show so that the selected one is visible, given how many fit. */
export const firstShown = (selected: number, count: number, room: number): number =>
  Math.max(0, Math.min(selected - Math.floor(room / 2), count - room));
