/** States and reasons as the page says them. */
import type { Group, Row } from '../../client/board.ts';
import type { Reason, Session } from '../../contract/session.ts';

const reasons: Record<Reason, string> = {
  stopped: 'its turn is over',
  permission: 'permission',
  question: 'question',
  plan: 'plan',
  elicitation: 'a server asks',
  dialog: 'dialog',
  interrupted: 'interrupted',
  failed: 'failed',
  exit: 'exit',
  clear: 'cleared',
  killed: 'killed',
  lost: 'lost',
};

export const groups: Record<Group, string> = {
  waiting: 'Waiting for you',
  deferred: 'Deferred',
  working: 'Working',
  ready: 'Ready',
  ended: 'Ended',
};

/** Why it is where it is, in a word or two. */
export const why = (session: Session): string => {
  if (session.stalled && session.state !== 'waiting') return 'stalled';
  return session.reason ? reasons[session.reason] : session.state;
};

/** The colour of a session, as a name that the style knows: as on the board. */
export const toneOf = ({ session, group }: Pick<Row, 'session' | 'group'>): string => {
  if (group === 'deferred') return 'later';
  if (session.state === 'ended') return 'ended';
  if (session.stalled) return 'stalled';
  return stateTone(session);
};

export const stateTone = ({ state, reason }: Pick<Session, 'state' | 'reason'>): string => {
  if (state !== 'waiting') return state;
  return reason === 'stopped' || reason === 'interrupted' ? 'stopped' : 'asking';
};

export const nameOf = ({ project, id }: Pick<Session, 'project' | 'id'>): string => project ?? id.slice(0, 8);
