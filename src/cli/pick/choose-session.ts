/** Finds the session to resume: by argument, by this pane, or from the picker. */
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
import { ago } from '../output/format.ts';
import { isIdPrefix, matchSessions } from '../../session/match.ts';
import { type Call, flag } from '../verb.ts';
import { sessionNamed } from './session-arg.ts';

export interface Named {
  id: string;
  /** It was chosen from a list that shows its directory, so no further question is needed. */
  asked: boolean;
  /** Session in the options of this pane. */
  pane: PaneSession | null;
}

/** Returns the session; null if the picker was left, or --or-new applies. */
export const chooseSession = async (
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
  if (pane && !flag(call, 'pick')) return { id: await findNewestId(call, pane.id), asked: false, pane };
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
  const byName = isIdPrefix(given.trim()) ? null : await idByName(call, given);
  if (byName !== null) return byName;
  const digits = normalizeId(given);
  const live = liveSessions(claudeDirs).map(({ sessionId }) => sessionId);
  const found = matchId(digits, [...transcripts.map(({ id }) => id), ...live]);
  if (found.kind === 'one') return found.id;
  if (found.kind === 'several') throw ambiguous(given, found.ids, transcripts);
  const known = await ask(call.paths, 'readSession', { id: digits }).catch(() => null);
  throw new DroverError(
    'no_session',
    known
      ? `Session ${known.id} is known, but its transcript no longer exists.`
      : `No session starts with ${given.trim()}.`,
    '`drover sessions` lists the sessions that can be resumed.',
  );
};

/** Finds a session by its title, project, branch or tags; null where none matches, or the daemon is down. */
const idByName = async (call: Call, given: string): Promise<string | null> => {
  const found = await ask(call.paths, 'listSessions', { query: { match: given } }).catch(() => null);
  return found && matchSessions(found.sessions, given).length > 0 ? sessionNamed(call, given) : null;
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
    [`${ids.length} sessions start with ${given.trim()}:`, ...lines, ...more].join('\n'),
  );
};

/** Follows `/clear` to the current session, because the options of a pane may be outdated. */
const findNewestId = async (call: Call, id: string): Promise<string> => {
  let at = id;
  for (let steps = 0; steps < 100; steps++) {
    const session = await ask(call.paths, 'readSession', { id: at }).catch(() => null);
    if (!session?.next) break;
    at = session.next;
  }
  return at;
};
