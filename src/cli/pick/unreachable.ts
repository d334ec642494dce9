/** Which waiting sessions `next` leaves out, because this machine has no way to them. */
import { whereOf } from '../../contract/origin.ts';
import type { Session } from '../../contract/session.ts';
import { shortId } from '../../contract/short-id.ts';
import { titleOf } from '../../client/board/labels.ts';
import { clean } from '../../client/text.ts';
import type { Call } from '../verb.ts';

/** Says why a session cannot be reached from here; null where it can. */
export const unreachableText = async (call: Call, session: Session): Promise<string | null> => {
  const { id, pane, fleet, parked } = session;
  const name = `${shortId(id)} (${clean(titleOf(session))})`;
  if (fleet) {
    const { readMembership } = await import('../../fleet/membership.ts');
    const hasAddress = readMembership(call.paths)?.ssh[fleet.host] !== undefined;
    return hasAddress ? null : `${name}: this machine has no SSH address for ${fleet.name}.`;
  }
  if (pane || parked) return null;
  const place = whereOf(session);
  return place === null ? `${name}: it is not in a tmux pane.` : `${name}: it runs on ${place}.`;
};
