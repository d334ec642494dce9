/** States, groups and sessions as the board and the page name them. */
import type { Session } from '../../contract/session.ts';
import type { Group, Row } from './rows.ts';
import { shortId } from '../../contract/short-id.ts';

export const groupLabels: Record<Group, string> = {
  waiting: 'Waiting for you',
  deferred: 'Deferred',
  working: 'Working',
  ready: 'Ready',
  ended: 'Ended',
};

/** Why a session is where it is, in one word: the reason, else the state. */
export const statusLabel = ({
  state,
  reason,
  stalled,
}: Pick<Session, 'state' | 'reason' | 'stalled'>): string =>
  stalled && state !== 'waiting' ? 'stalled' : (reason ?? state);

/** What a row says: how it is deferred, else its status. */
export const rowLabel = ({ session, deferred }: Pick<Row, 'session' | 'deferred'>): string =>
  deferred ?? statusLabel(session);

/** The colour of a row by its meaning; both surfaces have a colour for each. */
export type Tone =
  | 'deferred'
  | 'ended'
  | 'stalled'
  | 'working'
  | 'background'
  | 'ready'
  | 'asking'
  | 'stopped';

export const toneOf = ({ session, group }: Pick<Row, 'session' | 'group'>): Tone => {
  if (group === 'deferred') return 'deferred';
  if (session.state === 'ended') return 'ended';
  return session.stalled ? 'stalled' : stateTone(session);
};

/** `asking`: a dialog blocks the turn. `stopped`: the turn is over. */
export const stateTone = ({ state, reason }: Pick<Session, 'state' | 'reason'>): Tone => {
  if (state !== 'waiting') return state;
  return reason === 'stopped' || reason === 'interrupted' ? 'stopped' : 'asking';
};

export const nameOf = ({ project, id }: Pick<Session, 'project' | 'id'>): string => project ?? shortId(id);
