/** Applies updates of the daemon and of the screen to the board. */
import type { Request } from '../../contract/answer.ts';
import type { FleetSummary } from '../../contract/fleet.ts';
import type { Session } from '../../contract/session.ts';
import { boardLimits } from '../../board-limits.ts';
import { isQueued } from '../../session/queue/queue.ts';
import { isChangesEntry } from './changes-panel.ts';
import { isApplicable } from './commands.ts';
import { selectedSession } from './rows.ts';
import { type AnswerEntry, type Board, type ConfirmEntry, type Entry, isAnswerEntry } from './state.ts';

/** Ended sessions that stay on the board, newest first. */
export const endedShown = 20;

/** Whether it has ended and is not parked. */
const isOver = ({ state, parked }: Session): boolean => state === 'ended' && !parked;

/** Replaces all live and parked sessions by a snapshot; ended ones stay. */
export const withSnapshot = (board: Board, live: Session[], now: number): Board => {
  const ended = Array.from(board.sessions.values()).filter(isOver);
  return withSessions({ ...board, link: 'live' }, [...ended, ...live], now);
};

/** Applies changed sessions. */
export const withChanges = (board: Board, sessions: Session[], now: number): Board =>
  withSessions(board, [...board.sessions.values(), ...sessions], now);

/** Stores what the stream says of the fleet. */
export const withFleet = (board: Board, fleet: FleetSummary): Board => ({
  ...board,
  fleet: fleet.connection === 'none' ? null : fleet,
});

/** Stores the complete session that its host returned, unless its row has changed in the meantime. */
export const withDetails = (board: Board, seq: number, session: Session, now: number): Board => {
  const known = board.sessions.get(session.id);
  if (known?.seq !== seq) return board;
  // The host may have gone away since it answered.
  return withChanges(board, [{ ...session, seq, fleet: known.fleet }], now);
};

/** Stores the complete requests of one session. */
export const withRequests = (board: Board, requests: Request[]): Board => ({
  ...board,
  loaded: new Map(requests.map(request => [request.id, request])),
});

/** What the screen shows of a scrolled text. */
export interface Frame {
  /** How far it can be scrolled. */
  maxScroll: number;
  /** Its last line is on the screen. */
  isEnd: boolean;
}

/** Records that the screen shows this board. `text` is that of the answer panel, or of the selected session. */
export const withPaint = (board: Board, now: number, text: Frame): Board => {
  const id = selectedSession(board, now)?.id ?? null;
  const { entry, painted: before } = board;
  // If nothing was selected before, no key can have been meant for another session.
  const isSwapped = before !== null && before.id !== null && before.id !== id;
  return {
    ...board,
    painted: before?.id === id ? before : { id, since: isSwapped ? now : Number.NEGATIVE_INFINITY },
    ...(isAnswerEntry(entry)
      ? {
          entry: {
            ...entry,
            scroll: Math.min(entry.scroll, text.maxScroll),
            isRead: entry.isRead || (text.isEnd && entry.page !== null),
          },
        }
      : isChangesEntry(entry)
        ? { entry: { ...entry, scroll: Math.min(entry.scroll, text.maxScroll) } }
        : { scroll: Math.min(board.scroll, text.maxScroll) }),
  };
};

const withSessions = (board: Board, sessions: Session[], now: number): Board => {
  const all = new Map(sessions.map(session => [session.id, session]));
  const ended = Array.from(all.values())
    .filter(isOver)
    .sort((a, b) => b.since - a.since);
  for (const { id } of ended.slice(endedShown)) all.delete(id);
  const marked = new Set([...board.marked].filter(id => all.has(id)));
  const next = { ...board, sessions: all, marked: marked.size === board.marked.size ? board.marked : marked };
  const { entry } = next;
  const why = entry && whyClosed(entry, all);
  if (!entry || why === null) return next;
  // The panel says what happened to its request, until a key closes it.
  if (isAnswerEntry(entry)) return { ...next, entry: { ...entry, over: why, isWriting: false, scroll: 0 } };
  return { ...next, entry: null, notice: why, ignoreKeysUntil: now + boardLimits.closedFieldPause };
};

/** The answered request of a panel that does not say yet who answered it. */
export const overRequest = ({ entry }: Board): { id: string; request: number } | null =>
  isAnswerEntry(entry) && entry.over !== null ? { id: entry.id, request: entry.request } : null;

/** Says in the panel what happened to its request. */
export const withOutcome = (board: Board, request: number, over: string): Board => {
  const { entry } = board;
  return isAnswerEntry(entry) && entry.request === request && entry.over !== null
    ? { ...board, entry: { ...entry, over } }
    : board;
};

/** Why an entry no longer applies to what the user saw; null while it does. */
const whyClosed = (entry: Entry, sessions: ReadonlyMap<string, Session>): string | null => {
  switch (entry.kind) {
    case 'filter':
    case 'new':
      return null;
    case 'answer':
      return entry.over === null ? whyOver(entry, sessions.get(entry.id)) : null;
    case 'snooze': {
      if (entry.ids.length > 1) return null;
      const session = sessions.get(entry.id);
      if (!session || session.state === 'ended') return 'The session has ended.';
      const isSame = isQueued(session) && session.since === entry.since;
      return isSame ? null : `${entry.label} is no longer waiting.`;
    }
    case 'changes':
      return sessions.has(entry.id) ? null : 'The session is gone.';
    case 'confirm': {
      const { action, ids, label } = entry;
      const isOpen = ids.some(id => {
        const session = sessions.get(id);
        return session !== undefined && isApplicable(action, session);
      });
      return isOpen ? null : `${label} ${confirmOver[action]}`;
    }
    default:
      return entry.ids.some(id => sessions.has(id)) ? null : 'The session has ended.';
  }
};

const confirmOver: Record<ConfirmEntry['action'], string> = {
  interrupt: 'is no longer working.',
  park: 'is no longer idle.',
  resume: 'is running.',
};

const whyOver = ({ request, summary }: AnswerEntry, session: Session | undefined): string | null => {
  if (!session || session.state === 'ended') return 'The session has ended.';
  return session.requests.some(({ id }) => id === request) ? null : `No longer open: ${summary}`;
};
