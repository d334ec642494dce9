/** Says what happened to a request that is over. */
import type { PastRequest } from '../../contract/answer.ts';
import type { Session } from '../../contract/session.ts';
import { pastText } from '../../session/request/past-text.ts';

export const outcomeOf = (
  { state }: Pick<Session, 'state'>,
  past: PastRequest | undefined,
  now: number,
): string => {
  if (past) return `${pastText(past, now)}.`;
  return state === 'ended' ? 'The session has ended.' : 'This request is no longer open.';
};
