/** The sessions as they are now. */
import type {
  Explanation,
  RelatedSession,
  Screen,
  SessionList,
  SessionPage,
  SessionScreen,
} from '../../contract/api.ts';
import type { HeldRequest, Request } from '../../contract/answer.ts';
import { DroverError } from '../../contract/error.ts';
import type { Hook } from '../../contract/hook.ts';
import type { MovedClient } from '../../contract/page.ts';
import { type Pane, type Session, State } from '../../contract/session.ts';
import { assertNewest } from '../../hub/drive-policy.ts';
import type { Holds } from '../../hub/request/holds.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import { type Folded, shown } from '../../session/memory.ts';
import { wholeDetail } from '../../session/request/whole-detail.ts';
import { isIdPrefix, matchSessions } from '../../session/match.ts';
import type { Call, Handlers } from '../call.ts';
import { isLocalOnly } from '../scope.ts';
import { shortId } from '../../contract/short-id.ts';

/** What transcripts say of sessions. */
export interface Past {
  /** The sessions that one was forked from, and into. */
  forks: (session: Folded) => { from: string | null; into: string[] };
  /** Finds sessions by the text of their transcripts, newest first; null while the search index is off. */
  find: (query: string) => { id: string; path: string; text: string; session: () => Session | null }[] | null;
}

/** The sessions of the other hosts of the fleet. */
export interface RemoteSessions {
  sessions: () => Promise<Session[]>;
  /** Those that an id or its prefix names, with or without `@` and a host. */
  named: (id: string) => Promise<Session[]>;
  /** The id without `@` and the name of this machine. */
  ownId: (id: string) => string;
  /** Searches the transcripts of the other hosts; null where there are none. */
  search: (call: Pick<Call, 'query' | 'caller'>) => Promise<SearchedHosts | null>;
}

/** What the other hosts found, and which of them did not search. */
export interface SearchedHosts {
  sessions: Session[];
  found: Record<string, string>;
  missing: { host: string; problem: string }[];
}

const noRemoteSessions: RemoteSessions = {
  sessions: () => Promise.resolve([]),
  named: () => Promise.resolve([]),
  ownId: id => id,
  search: () => Promise.resolve(null),
};

/** Access to panes. */
export interface Panes {
  preview: (pane: Pane) => Promise<Screen | null>;
  /** Moves a client there: the named one, or the only one. */
  go: (pane: Pane, client: string | null) => Promise<MovedClient>;
}

export const sessionHandlers = (
  sessionIndex: SessionIndex,
  holds: Holds,
  panes: Panes,
  past: Past,
  /** Measures the memory of the sessions, unless that was done a moment ago. */
  measure: () => Promise<void>,
  /** Starts a session that is parked. */
  unpark: (session: Folded) => Promise<Folded>,
  /** Reads the payload of an event; null when the log no longer has it. */
  payloadAt: (seq: number) => Hook | null,
  remoteSessions: RemoteSessions = noRemoteSessions,
): Pick<Handlers, 'listSessions' | 'readSession' | 'explainSession' | 'readScreen' | 'goToSession'> => ({
  listSessions: async ({ query, caller }) => {
    const isLocal = isLocalOnly(query);
    const words = query.get('q');
    const [remote] = await Promise.all([
      isLocal || words !== null ? [] : remoteSessions.sessions(),
      measure(),
    ]);
    const state = query.get('state');
    if (state !== null && !State.safeParse(state).success)
      throw new DroverError(
        'bad_request',
        `There is no state ${JSON.stringify(state)}.`,
        `Use one of ${State.options.join(', ')}.`,
      );
    const isWanted = (session: Session) =>
      (state === null || session.state === state) &&
      (query.get('live') !== '1' || session.state !== 'ended' || session.parked);
    if (words !== null) {
      const own = search(sessionIndex, past, words, isWanted);
      return withOthers(own, isLocal ? null : await remoteSessions.search({ query, caller }));
    }
    const match = query.get('match');
    const all: Session[] = match === null ? [...sessionIndex.all(), ...remote] : [];
    const sessions = (
      match === null
        ? all
        : await namedBy(sessionIndex, remote, isLocal ? noRemoteSessions : remoteSessions, match)
    ).filter(isWanted);
    const limit = Number(query.get('limit') ?? sessions.length);
    if (!Number.isInteger(limit) || limit < 0)
      throw new DroverError('bad_request', 'limit must be a number of sessions.');
    return {
      sessions: sessions
        .sort((a, b) => b.touched - a.touched)
        .slice(0, limit)
        .map(session => ('memory' in session ? shown(session as Folded) : session)),
    };
  },
  readSession: async ({ params: { id } }) => {
    await measure();
    const session = findSession(sessionIndex, id);
    return { ...page(sessionIndex, past, holds, session), detail: wholeDetail(session, payloadAt) };
  },
  explainSession: ({ params: { id } }) => explain(findSession(sessionIndex, id)),
  readScreen: async ({ params: { id } }): Promise<SessionScreen> => {
    const { pane, state } = findSession(sessionIndex, id);
    return { screen: pane && state !== 'ended' ? await panes.preview(pane) : null };
  },
  goToSession: async ({ params: { id }, body: { client }, action }) => {
    action.text = client;
    const { pane, state, id: fullId } = await unpark(findSession(sessionIndex, id));
    if (!pane || state === 'ended')
      throw new DroverError('refused', `${shortId(fullId)} has no pane to go to.`);
    return panes.go(pane, client ?? null);
  },
});

/** The sessions that an id or its prefix names, else those that words name. */
const namedBy = async (
  sessionIndex: SessionIndex,
  remote: Session[],
  remoteSessions: RemoteSessions,
  text: string,
): Promise<Session[]> => {
  const byId = isIdPrefix(text) ? sessionIndex.named(remoteSessions.ownId(text)) : [];
  // As for every route, sessions of this machine win.
  const found: Session[] = byId.length > 0 || !isIdPrefix(text) ? byId : await remoteSessions.named(text);
  return found.length > 0 ? found : matchSessions([...sessionIndex.all(), ...remote], text);
};

const search = (
  sessionIndex: SessionIndex,
  past: Past,
  words: string,
  isWanted: (session: Session) => boolean,
): SessionList => {
  const hits = past.find(words);
  if (!hits)
    throw new DroverError(
      'refused',
      'The search index is off.',
      '`drover sessions index on` turns it on. It then reads your transcripts in the background.',
    );
  const found: Record<string, string> = {};
  const sessions = hits.flatMap(({ id, path, text, session }) => {
    const known = sessionIndex.get(id);
    const one = known ? { ...shown(known), transcript: known.transcript ?? path } : session();
    if (!one || found[id] !== undefined || !isWanted(one)) return [];
    found[id] = text;
    return [one];
  });
  return { sessions: sessions.sort((a, b) => b.touched - a.touched), found };
};

const withOthers = (own: SessionList, others: SearchedHosts | null): SessionList =>
  others
    ? {
        sessions: [...own.sessions, ...others.sessions].sort((a, b) => b.touched - a.touched),
        found: { ...own.found, ...others.found },
        missing: others.missing,
      }
    : own;

/** The request as a held one; null when no hook waits for its answer. */
const heldOf = (request: Request | undefined): HeldRequest | null => {
  if (!request || request.until === null) return null;
  const { kind, until } = request;
  return kind === 'permission' || kind === 'question' || kind === 'plan' ? { ...request, kind, until } : null;
};

/** How many past requests are shown: more than are ever open at once. */
const pastShown = 50;

const page = (sessionIndex: SessionIndex, past: Past, holds: Holds, session: Folded): SessionPage => {
  const before = sessionIndex.all().find(other => other.next === session.id);
  const related = past.forks(session);
  const follows = (cleared: Folded, id: string): RelatedSession => ({
    id,
    by: cleared.reason === 'clear' ? 'clear' : 'resume',
  });
  const forked = related.from === null ? null : ({ id: related.from, by: 'fork' } as const);
  const requests = holds.requestsOf(session);
  const [first] = requests;
  return {
    ...shown(session),
    requests,
    pending: heldOf(first),
    past: session.memory.past
      .slice(-pastShown)
      .map(({ id, line, at, by, behavior }) => ({ id, line, at, by, behavior })),
    from: before ? follows(before, before.id) : forked,
    into: [
      ...(session.next ? [follows(session, session.next)] : []),
      ...related.into.map(id => ({ id, by: 'fork' as const })),
    ],
  };
};

const explain = (session: Folded): Explanation => {
  const { trail, file, requests, hooked } = session.memory;
  return {
    session: shown(session),
    steps: trail,
    file: file && { status: file.status, waitingFor: file.waitingFor, at: file.evidence.at },
    requests: requests.map(({ kind, detail }) => `${kind}: ${detail.line}`),
    hookedAt: hooked,
  };
};

/** Finds a session by id or prefix. Throws when another conversation has followed it, which the caller means. */
export const findNewest = (sessionIndex: SessionIndex, id: string): Folded => {
  const session = findSession(sessionIndex, id);
  assertNewest(session);
  return session;
};

/** Finds the one session with this id or prefix. */
export const findSession = (sessionIndex: SessionIndex, id: string): Folded => {
  const found = sessionIndex.named(id);
  if (found.length > 1)
    throw new DroverError(
      'ambiguous',
      `${found.length} sessions start with ${id}: ${found
        .slice(0, 5)
        .map(session => session.id)
        .join(', ')}.`,
    );
  if (!found[0]) throw new DroverError('no_session', `No session starts with ${id}.`);
  return found[0];
};
