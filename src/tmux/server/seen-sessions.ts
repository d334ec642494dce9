/** Notice that a person has looked at a finished session: a terminal that was used since then shows its pane. */
import type { Draft } from '../../contract/event.ts';
import { queueEvents } from '../../session/queue/deferral.ts';
import type { Folded } from '../../session/memory.ts';
import { ownEvent } from '../../session/own-event.ts';
import { isUnseen } from '../../session/state-text.ts';
import { panesInUse } from './clients.ts';
import type { TmuxPane } from './panes.ts';

/**
 * Return an event for each session that was looked at. tmux is asked for its clients only if one shows such a session. An
 * attached terminal alone proves nothing, because nobody may be there.
 */
export const draftsOfSeen = async (
  sessions: Folded[],
  socket: string,
  panes: TmuxPane[],
  now: number,
): Promise<Draft[]> => {
  const shown = new Set(panes.filter(({ isShown }) => isShown).map(({ id }) => id));
  const unseen = sessions.filter(
    session =>
      isUnseen(session) &&
      session.pane?.socket === socket &&
      session.pane.serverPid === panes[0]?.serverPid &&
      shown.has(session.pane.id),
  );
  if (unseen.length === 0) return [];
  const used = await panesInUse(socket);
  return (
    unseen
      // tmux knows the second of the last key. A key in the same second counts.
      .filter(({ pane, since }) => (used.get(pane?.id ?? '') ?? 0) >= Math.floor(since / 1_000) * 1_000)
      .map(({ id }) => ownEvent(queueEvents.see, id, now))
  );
};
