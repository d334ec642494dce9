/** Build one notification for all waiting sessions. */
import type { Notice } from '../contract/notice.ts';
import type { Reason, Session } from '../contract/session.ts';
import { shortId } from '../contract/short-id.ts';
import { shownLine } from '../session/outcome/outcome-text.ts';
import { unseen } from '../unseen.ts';
import { stateText } from '../session/state-text.ts';

/** Lines of text; the other sessions are only counted. */
const maxLines = 10;

/** `mask` removes secrets. */
export const digest = (sessions: Session[], at: number, mask: (text: string) => string): Notice => {
  const [first] = sessions;
  const minutes = Math.max(0, ...sessions.map(({ since }) => Math.floor((at - since) / 60_000)));
  const lines = sessions.slice(0, maxLines).map(session => mask(lineOf(session, at)));
  const more = sessions.length - lines.length;
  return {
    at,
    title: mask(
      `${sessions.length === 1 ? `${nameOf(first as Session)} waits` : `${sessions.length} sessions wait`} for you${minutes ? `, ${minutes} min` : ''}`,
    ),
    text: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    sessions: sessions.map(session => sessionIn(session, at, mask)),
  };
};

const sessionIn = (
  session: Session,
  at: number,
  mask: (text: string) => string,
): Notice['sessions'][number] => {
  const { id, title, project, branch, reason, outcome, since, detail, pane } = session;
  const line = shownLine(session);
  return {
    id,
    title: title === null ? null : mask(title),
    project: project === null ? null : mask(project),
    branch: branch === null ? null : mask(branch),
    reason: reason as Reason,
    says: stateText(session, at),
    since,
    outcome: outcome?.kind ?? null,
    request: line === null ? null : mask(line),
    requestId: detail?.request ?? null,
    pane,
  };
};

/** `Payments (shop, main)`: the title, and what it does not say of project and branch. */
const nameOf = ({ id, title, project, branch }: Session): string => {
  const name = title ?? project ?? shortId(id);
  const where = [project !== name ? project : null, branch].filter(Boolean).join(', ');
  return `${name}${where ? ` (${where})` : ''}`.replace(unseen, '');
};

const lineOf = (session: Session, now: number): string =>
  `${nameOf(session)}: ${stateText(session, now)}${shownLine(session) === null ? '' : `, ${shownLine(session)}`}${session.requests.length > 1 ? ` (and ${session.requests.length - 1} more)` : ''}`;
