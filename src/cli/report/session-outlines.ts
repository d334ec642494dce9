/** Outlines sessions and events: kinds, states and times, with numbers instead of ids, and no texts. */
import type { EventView } from '../../contract/event.ts';
import type { Session } from '../../contract/session.ts';
import { type IsOwnText, shownText } from './own-text.ts';

/** Numbers sessions in the order in which they are met. */
export const sessionNumbers = (): ((id: string) => string) => {
  const numbers = new Map<string, string>();
  return id => {
    const known = numbers.get(id) ?? `session ${numbers.size + 1}`;
    numbers.set(id, known);
    return known;
  };
};

export const sessionOutline = (
  session: Session,
  numberOf: (id: string) => string,
  isOwn: IsOwnText,
  now: number,
) => ({
  id: numberOf(session.id),
  state: session.state,
  reason: session.reason,
  seconds: Math.round((now - session.since) / 1_000),
  evidence: `${session.evidence.source} ${shownText(session.evidence.name, isOwn)}`,
  hooks: session.hooks,
  approvals: session.approvals,
  requests: session.requests.length,
  claude: /^[\d.]{3,20}$/.test(session.version ?? '') ? session.version : null,
  isManaged: session.managed,
  isHeadless: session.headless,
  isParked: session.parked,
  isInPane: session.pane !== null,
  isElsewhere: session.host !== null || session.origin !== null,
});

export const eventOutline = (
  { seq, at, source, name, sessionId, payload, base64 }: EventView,
  numberOf: (id: string) => string,
  isOwn: IsOwnText,
): string => {
  const bytes = base64?.length ?? JSON.stringify(payload ?? null).length;
  const session = sessionId === null ? '-' : numberOf(sessionId);
  return `${seq} ${new Date(at).toISOString()} ${source} ${shownText(name, isOwn)} ${session} ${bytes} bytes`;
};
