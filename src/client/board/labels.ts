/** States, groups and sessions as the board and the page name them. */
import type { Deferred } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import type { Group, Row } from './rows.ts';
import { shortId } from '../../contract/short-id.ts';
import { clean } from '../text.ts';
import { awayText, isStale } from '../fleet-text.ts';
import { stateText } from '../../session/state-text.ts';

export { isUnseen, pastStateText, stateText } from '../../session/state-text.ts';

export const groupLabels: Record<Group, string> = {
  waiting: 'Waiting for you',
  deferred: 'Deferred',
  working: 'Working',
  ready: 'New',
  limit: 'Usage limit',
  away: 'Host away',
  parked: 'Parked',
  ended: 'Ended',
};

/** What a row says: that its host is away, how it is deferred, else its state. */
export const rowLabel = ({ session, deferred }: Pick<Row, 'session' | 'deferred'>, now: number): string =>
  awayText(session, now) || deferredLabel(deferred) || stateText(session, now);

/** How a session is deferred, shown with its state. `awayText` says that its host is away. */
export const deferredLabel = (deferred: Deferred | null): string =>
  deferred === null || deferred === 'away' ? '' : deferred;

/** The colour of a row by its meaning; both surfaces have a colour for each. `stale`: its host is away. */
export type Tone =
  | 'stale'
  | 'deferred'
  | 'ended'
  | 'stalled'
  | 'working'
  | 'background'
  | 'ready'
  | 'asking'
  | 'stopped';

export const toneOf = ({ session, group }: Pick<Row, 'session' | 'group'>): Tone => {
  if (isStale(session)) return 'stale';
  if (group === 'deferred') return 'deferred';
  if (session.state === 'ended') return 'ended';
  return session.stalled ? 'stalled' : stateTone(session);
};

/** `asking`: a dialog blocks the turn, or its last message asks. `stopped`: the turn is over. */
export const stateTone = ({
  state,
  reason,
  outcome,
}: Pick<Session, 'state' | 'reason'> & Partial<Pick<Session, 'outcome'>>): Tone => {
  if (state !== 'waiting') return state;
  if (outcome && outcome.kind !== 'done') return 'asking';
  return reason === 'stopped' || reason === 'interrupted' || reason === 'limit' ? 'stopped' : 'asking';
};

/** The title of a session; where nothing is known of it, its project or short id. */
export const titleOf = ({
  title,
  project,
  id,
}: Pick<Session, 'project' | 'id'> & { title?: string | null }): string =>
  clean(title ?? project ?? shortId(id));

/** The titles of a list by session. Equal ones of a host get the short id after them; hosts have a column. */
export const distinctTitles = (sessions: Iterable<Session>): Map<string, string> => {
  const all = Array.from(sessions);
  const counts = new Map<string, number>();
  for (const session of all) counts.set(titleKey(session), (counts.get(titleKey(session)) ?? 0) + 1);
  return new Map(
    all.map(session => {
      const title = titleOf(session);
      const isShared = (counts.get(titleKey(session)) ?? 0) > 1 && title !== shortId(session.id);
      return [session.id, isShared ? `${title} ${shortId(session.id)}` : title];
    }),
  );
};

/** Names a title among the sessions of its host. */
export const titleKey = (session: Session): string => `${session.fleet?.host ?? ''} ${titleOf(session)}`;

/** The branch of a session, marked in a linked worktree; empty where there is none. */
export const branchLabel = ({ branch, worktree }: Pick<Session, 'branch' | 'worktree'>): string =>
  `${branch ?? ''}${worktree ? ' (worktree)' : ''}`.trim();

/** Memory for people: `412 MB`; empty where it is unknown. */
export const memoryLabel = ({ memoryBytes }: Pick<Session, 'memoryBytes'>): string =>
  memoryBytes === null ? '' : memoryText(memoryBytes);

/** Memory for people: `412 MB`, `1.3 GB`. */
export const memoryText = (bytes: number): string =>
  // From here on megabytes would be rounded to a thousand.
  bytes < 999_500_000 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** Changed lines and files for people: `+12 −3, 4 files`; empty where there are none. */
export const changesLabel = ({ changes }: Pick<Session, 'changes'>): string =>
  changes ? `${linesLabel(changes)}, ${changes.files} file${changes.files === 1 ? '' : 's'}` : '';

/** `+12 −3` */
export const linesLabel = ({ added, removed }: { added: number; removed: number }): string =>
  `+${added} −${removed}`;

/** What a row says of files that another session changes too: `collision: a.ts`; empty where there are none. */
export const collisionLabel = ({ collisions }: Pick<Session, 'collisions'>): string => {
  const files = new Set(collisions.map(({ path }) => path));
  const [first] = files;
  if (first === undefined) return '';
  return `collision: ${files.size === 1 ? first.slice(first.lastIndexOf('/') + 1) : `${files.size} files`}`;
};
