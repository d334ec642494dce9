/** The requests of a session on the board: which one is shown, what has to be loaded, and its text. */
import type { Request } from '../../contract/answer.ts';
import type { OpenRequest, Session } from '../../contract/session.ts';
import { sessionLines, otherLines, requestLines } from '../request-text.ts';
import { deniedHeading, denialText } from '../denied-text.ts';
import { isHostAway } from '../fleet-text.ts';
import { visible, wrap } from '../text.ts';
import { selectedSession } from './rows.ts';
import type { Board } from './state.ts';

/** The request that the board shows of a session, and that an answer from the board reaches. */
export const shownRequest = ({ picked }: Board, { requests }: Session): OpenRequest | undefined =>
  requests.find(({ id }) => id === picked) ?? requests[0];

/** Picks the next open request of a session, or with -1 the one before. */
export const pickRequest = (board: Board, session: Session, by: 1 | -1): Board => {
  const { requests } = session;
  if (requests.length < 2)
    return {
      ...board,
      notice: requests.length ? 'The session has no other open request.' : 'The session has no open request.',
    };
  const shown = shownRequest(board, session);
  const at = requests.findIndex(({ id }) => id === shown?.id);
  const next = requests[(at + by + requests.length) % requests.length];
  return { ...board, picked: next?.id ?? null, scroll: 0 };
};

/** The session whose complete requests the board needs; null: none. */
export const sessionToLoad = (board: Board, now: number): string | null => {
  const session = selectedSession(board, now);
  const shown = session && shownRequest(board, session);
  return shown && !board.loaded.has(shown.id) ? session.id : null;
};

/** The selected session of another host, whose last message is not in its row; null: nothing is to be loaded. */
export const elsewhereToLoad = (board: Board, now: number): { id: string; seq: number } | null => {
  const session = selectedSession(board, now);
  if (!session?.fleet || isHostAway(session) || session.state === 'ended' || session.detail !== null)
    return null;
  return { id: session.id, seq: session.seq };
};

/** The shown request or last message of a session with its other open requests, in lines of `width` columns. */
export const detailLines = (board: Board, session: Session, width: number): string[] => {
  const shown = shownRequest(board, session);
  if (!shown) return wrapAll(sessionLines(session), width);
  const { requests } = session;
  const others = requests.filter(({ id }) => id !== shown.id);
  const at = requests.findIndex(({ id }) => id === shown.id) + 1;
  const complete = board.loaded.get(shown.id);
  return [
    ...(others.length > 0
      ? wrap(`Request ${at} of ${requests.length}. [ and ] show the others.`, width)
      : []),
    ...deniedBefore(session, width),
    ...(complete?.input ? wrappedRequest(complete, width) : wrapAll(briefLines(session, shown), width)),
    ...wrapAll(otherLines([shown, ...others]), width),
  ];
};

/** After several denied calls Claude Code asks: what it denied last says why. */
const deniedBefore = ({ denied }: Session, width: number): string[] => {
  const last = denied?.last[0];
  return denied && last
    ? [...wrap(visible(`${deniedHeading(denied)}, the last: ${denialText(last)}`), width), '']
    : [];
};

/** A request that is not loaded yet: the first one has a description in the session, the others a line. */
const briefLines = (session: Session, shown: OpenRequest): string[] =>
  shown.id === session.detail?.request
    ? sessionLines({ ...session, requests: [] })
    : [visible(shown.line), '', 'Loading …'];

export const wrapAll = (lines: string[], width: number): string[] => lines.flatMap(line => wrap(line, width));

/** A request can be megabytes long, and is drawn at every key. */
const wrapped = new WeakMap<Request, { width: number; lines: string[] }>();

export const wrappedRequest = (request: Request, width: number): string[] => {
  const known = wrapped.get(request);
  if (known?.width === width) return known.lines;
  const [heading = '', ...body] = requestLines(request);
  const lines = [heading, ...wrapAll(body, width)];
  wrapped.set(request, { width, lines });
  return lines;
};
