/** Which session is meant: the one that was named, the one of this pane, or the one that is picked. */
import { liveSessions } from '../../claude/live-session.ts';
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import { normalizeId, matchId } from '../../resume/match-id.ts';
import {
  newestFirst,
  type PastTranscript,
  statTranscript,
  type Transcript,
} from '../../resume/transcripts.ts';
import { currentPane, type PaneSession, paneSession } from '../../tmux/server/pane-session.ts';
import { canAsk } from '../output/question.ts';
import { ago } from '../output/say.ts';
import { type Call, flag } from '../verb.ts';

export interface Named {
  id: string;
  /** It was picked from a list that shows its directory: that answers the question. */
  asked: boolean;
  /** What the options of this pane say. */
  pane: PaneSession | null;
}

/** The session; null when the picker was left, or when a new one may take its place. */
export const whichSession = async (
  call: Call,
  claudeDirs: string[],
  transcripts: Transcript[],
): Promise<Named | null> => {
  const here = currentPane(call.env);
  const pane = here && (await paneSession(here));
  const [given] = call.args;
  if (given !== undefined) {
    const id = await named(call, given, claudeDirs, transcripts);
    return { id, asked: false, pane };
  }
  if (pane && !flag(call, 'pick')) return { id: await latest(call, pane.id), asked: false, pane };
  if (flag(call, 'or-new')) return null;
  if (!canAsk()) throw new DroverError(here ? 'no_pane_session' : 'not_in_tmux');
  const { pick } = await import('./pick.ts');
  const picked = await pick(call, transcripts);
  return picked === null ? null : { id: picked, asked: true, pane };
};

const named = async (
  call: Call,
  given: string,
  claudeDirs: string[],
  transcripts: Transcript[],
): Promise<string> => {
  const digits = normalizeId(given);
  const live = liveSessions(claudeDirs).map(({ sessionId }) => sessionId);
  const found = matchId(digits, [...transcripts.map(({ id }) => id), ...live]);
  if (found.kind === 'one') return found.id;
  if (found.kind === 'several') throw ambiguous(given, found.ids, transcripts);
  const known = await ask(call.paths, 'readSession', { id: digits }).catch(() => null);
  throw new DroverError(
    'no_session',
    known
      ? `Drover remembers session ${known.id}, but its transcript is gone.`
      : `No session begins with ${given.trim()}.`,
    '`drover sessions` lists what can be taken up again.',
  );
};

const ambiguous = (given: string, ids: string[], transcripts: Transcript[]): DroverError => {
  const pasts: PastTranscript[] = transcripts
    .filter(({ id }) => ids.includes(id))
    .flatMap(statTranscript)
    .sort(newestFirst);
  const lines = pasts.slice(0, 20).map(({ id, at, slug }) => `  ${id}  ${ago(at)} ago  ${slug}`);
  const more = ids.length > 20 ? [`  and ${ids.length - 20} more`] : [];
  return new DroverError(
    'ambiguous',
    [`${ids.length} sessions begin with ${given.trim()}:`, ...lines, ...more].join('\n'),
  );
};

/** After `/clear` a pane has another session than the one it began with, whatever its options still say. */
const latest = async (call: Call, id: string): Promise<string> => {
  let at = id;
  for (let steps = 0; steps < 100; steps++) {
    const session = await ask(call.paths, 'readSession', { id: at }).catch(() => null);
    if (!session?.next) break;
    at = session.next;
  }
  return at;
};
