/** Applies updates of the daemon and of the screen to the board. */
import type { Request } from '../../contract/answer.ts';
import type { Session } from '../../contract/session.ts';
import { boardLimits } from '../../board-limits.ts';
import { isQueued } from '../../session/queue.ts';
import { selectedSession } from './rows.ts';
import { type Board, type Entry, isAnswerEntry } from './state.ts';

/** Ended sessions that stay on the board, newest first. */
export const endedShown = 20;

/** Replaces all live sessions by a snapshot; ended ones stay. */
export const withSnapshot = (board: Board, live: Session[], now: number): Board => {
  const ended = Array.from(board.sessions.values()).filter(({ state }) => state === 'ended');
  return withSessions({ ...board, link: 'live' }, [...ended, ...live], now);
};

/** Applies changed sessions. */
export const withChanges = (board: Board, sessions: Session[], now: number): Board =>
  withSessions(board, [...board.sessions.values(), ...sessions], now);

/** Stores the complete requests of one session. */
export const withRequests = (board: Board, requests: Request[], now: number): Board => {
  const { entry } = board;
  const isNew =
    isAnswerEntry(entry) &&
    !board.loaded.has(entry.request) &&
    requests.some(({ id }) => id === entry.request);
  return {
    ...board,
    loaded: new Map(requests.map(request => [request.id, request])),
    ...(isNew && { entry: { ...entry, shownAt: now } }),
  };
};

/** What the screen shows of a scrolled text. */
export interface Frame {
  /** How far it can be scrolled. */
  most: number;
  /** Its last line is on the screen. */
  isEnd: boolean;
}

/** Records that the screen shows this board. `text` is the confirmation, or the text of the selected session. */
export const withPaint = (board: Board, now: number, text: Frame): Board => {
  const id = selectedSession(board, now)?.id ?? null;
  const { entry, painted: before } = board;
  // If nothing was selected, no key was meant for another session.
  const isSwapped = before !== null && before.id !== null && before.id !== id;
  return {
    ...board,
    painted: before?.id === id ? before : { id, since: isSwapped ? now : Number.NEGATIVE_INFINITY },
    ...(isAnswerEntry(entry)
      ? {
          entry: {
            ...entry,
            scroll: Math.min(entry.scroll, text.most),
            isRead: entry.isRead || (text.isEnd && board.loaded.has(entry.request)),
          },
        }
      : { scroll: Math.min(board.scroll, text.most) }),
  };
};

const withSessions = (board: Board, sessions: Session[], now: number): Board => {
  const all = new Map(sessions.map(session => [session.id, session]));
  const ended = Array.from(all.values())
    .filter(({ state }) => state === 'ended')
    .sort((a, b) => b.since - a.since);
  for (const { id } of ended.slice(endedShown)) all.delete(id);
  const next = { ...board, sessions: all };
  const notice = next.entry && whyClosed(next.entry, all);
  if (!next.entry || notice === null) return next;
  const { entry } = next;
  return {
    ...next,
    entry: null,
    notice,
    ignoreKeysUntil: now + boardLimits.closedFieldPause,
    gone: isAnswerEntry(entry) ? { id: entry.id, request: entry.request } : null,
  };
};

/** Why an entry no longer applies to what the user saw; null while it does. */
const whyClosed = (entry: Entry, sessions: ReadonlyMap<string, Session>): string | null => {
  if (entry.kind === 'filter') return null;
  const session = sessions.get(entry.id);
  if (!session || session.state === 'ended') return 'The session has ended.';
  if (entry.kind === 'snooze')
    return isQueued(session) && session.since === entry.since ? null : `${entry.label} is no longer waiting.`;
  const request = session.requests.find(({ id }) => id === entry.request);
  if (!request) return `No longer open: ${entry.summary}`;
  return request.until === null ? `Only the terminal can answer this now: ${entry.summary}` : null;
};
