/** The tool that waits for sessions. */
import * as z from 'zod';
import { type Session, State } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { findSession } from './find-session.ts';
import { SessionSummary, summaryOf } from './summary.ts';
import { sessionField, tool } from './tool.ts';
import { watchSessions, withProgress } from './watch-sessions.ts';

export const waitTool = tool({
  name: 'wait_for_change',
  title: 'Wait for a change',
  description:
    'Wait until one of these sessions changes its state or its open requests. With `until`, wait until one is in such a state; returns at once if it already is.',
  right: 'read',
  input: z.object({
    sessions: z.array(sessionField).min(1).max(50),
    until: z.array(State).min(1).optional().describe('only a change to one of these states counts'),
    timeout: z.number().positive().max(3_600).default(600).describe('seconds'),
  }),
  output: z.object({
    /** The sessions that changed; empty when the time was over first. */
    changed: z.array(SessionSummary),
    timedOut: z.boolean(),
  }),
  run: async ({ sessions: names, until, timeout }, deps) => {
    const sessions = await Promise.all(names.map(name => findSession(name, deps)));
    const before = new Map(sessions.map(session => [session.id, session]));
    const counts = (session: Session): boolean =>
      until ? until.includes(session.state) : hasChanged(before.get(session.id), session);
    const already = until ? sessions.filter(counts) : [];
    if (already.length > 0)
      return { changed: already.map(session => summaryOf(session, deps.own())), timedOut: false };
    const changed = await withProgress(sessions, timeout, deps, signal =>
      waitForFirst(counts, [...before.keys()], timeout * 1_000, signal, deps),
    );
    return { changed: changed ? [summaryOf(changed, deps.own())] : [], timedOut: changed === null };
  },
});

/** What counts as a change. `since`: a turn may begin and end while the connection is away. */
const hasChanged = (before: Session | undefined, now: Session): boolean =>
  before === undefined || signatureOf(before) !== signatureOf(now) || hasMoved(before, now);

const signatureOf = ({ state, reason, requests, next, parked }: Session): string =>
  JSON.stringify([state, reason, requests.map(({ id }) => id), next, parked]);

/** Times of another host shift a little with each heartbeat, as its clock is known better. */
const hasMoved = (before: Session, { since, fleet }: Session): boolean =>
  Math.abs(since - before.since) > (fleet ? limits.fleet.shownSkew : 0);

/** Returns the first session that counts; null when the time is over first. Throws when the connection cannot be used. */
const waitForFirst = async (
  counts: (session: Session) => boolean,
  ids: string[],
  ms: number,
  signal: AbortSignal,
  deps: Parameters<typeof watchSessions>[1],
): Promise<Session | null> => {
  const found = new AbortController();
  let first: Session | null = null;
  const timer = setTimeout(() => found.abort(), ms);
  try {
    await watchSessions(ids, deps, AbortSignal.any([found.signal, signal]), session => {
      if (first !== null || !counts(session)) return;
      first = session;
      found.abort();
    });
  } finally {
    clearTimeout(timer);
  }
  return first;
};
