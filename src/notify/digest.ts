/** Build one notification for all waiting sessions. */
import type { Notice } from '../contract/notice.ts';
import type { Reason, Session } from '../contract/session.ts';
import { shortId } from '../contract/short-id.ts';

/** Lines of text; the other sessions are only counted. */
const maxLines = 10;

/** `mask` removes secrets. */
export const digest = (sessions: Session[], at: number, mask: (text: string) => string): Notice => {
  const [first] = sessions;
  const minutes = Math.max(0, ...sessions.map(({ since }) => Math.floor((at - since) / 60_000)));
  const lines = sessions.slice(0, maxLines).map(session => mask(lineOf(session)));
  const more = sessions.length - lines.length;
  return {
    at,
    title: mask(
      `${sessions.length === 1 ? `${nameOf(first as Session)} waits` : `${sessions.length} sessions wait`} for you${minutes ? `, ${minutes} min` : ''}`,
    ),
    text: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    sessions: sessions.map(({ id, project, reason, since, detail, pane }) => ({
      id,
      project: project === null ? null : mask(project),
      reason: reason as Reason,
      since,
      asks: detail ? mask(detail.line) : null,
      pane,
    })),
  };
};

const nameOf = ({ id, project }: Session): string => project ?? shortId(id);

const lineOf = (session: Session): string =>
  `${nameOf(session)}: ${session.reason}${session.detail ? `, ${session.detail.line}` : ''}${session.requests.length > 1 ? ` (and ${session.requests.length - 1} more)` : ''}`;
