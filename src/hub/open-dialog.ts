/** The dialog that a session has open. Typed text would be taken for its answer. */
import type { Reason } from '../contract/session.ts';
import type { Folded } from '../session/memory.ts';
import { pastStateText } from '../session/state-text.ts';

/** The kind of the open dialog; null when there is none. */
export const openDialog = (session: Folded): Reason | null => {
  const { state, reason } = session;
  if (state === 'waiting' && reason !== null && dialogs.includes(reason)) return reason;
  if (state === 'waiting' && reason === 'limit' && session.memory.file?.status === 'waiting') return 'dialog';
  return heldDialog(session);
};

/** The open dialog as people read it: `needs approval`. */
export const dialogText = (dialog: Reason): string => pastStateText({ state: 'waiting', reason: dialog });

const dialogs: Reason[] = ['permission', 'question', 'plan', 'elicitation', 'dialog'];

/** The dialog of a held request, which is on the screen before the state says so; null for one of a background subagent. */
const heldDialog = ({ memory: { requests, holds } }: Folded): Reason | null =>
  requests.find(({ agent, evidence }) => agent === null && holds.some(({ id }) => id === evidence.seq))
    ?.kind ?? null;
