/** The sessions as they are now. */
import type { Explanation, Kin, SessionPage } from '../../contract/api.ts';
import { DroverError } from '../../contract/error.ts';
import { State } from '../../contract/session.ts';
import type { Roll } from '../../live/roll.ts';
import { type Folded, shown } from '../../session/memory.ts';
import type { Handlers } from '../app.ts';

/** The sessions that one was forked from, and into, as their transcripts tell. */
export type Forks = (session: Folded) => { from: string | null; into: string[] };

export const sessionHandlers = (
  roll: Roll,
  forks: Forks,
): Pick<Handlers, 'listSessions' | 'readSession' | 'explainSession'> => ({
  listSessions: ({ query }) => {
    const state = query.get('state');
    if (state !== null && !State.safeParse(state).success)
      throw new DroverError(
        'bad_request',
        `There is no state ${JSON.stringify(state)}.`,
        `One of ${State.options.join(', ')}.`,
      );
    const sessions = (query.get('live') === '1' ? roll.live() : roll.all()).filter(
      session => state === null || session.state === state,
    );
    return { sessions: sessions.sort((a, b) => b.touched - a.touched).map(shown) };
  },
  readSession: ({ id }) => page(roll, forks, findSession(roll, id)),
  explainSession: ({ id }) => explain(findSession(roll, id)),
});

const page = (roll: Roll, forks: Forks, session: Folded): SessionPage => {
  const before = roll.all().find(other => other.next === session.id);
  const kin = forks(session);
  const follows = (cleared: Folded, id: string): Kin => ({
    id,
    by: cleared.reason === 'clear' ? 'clear' : 'resume',
  });
  const forked = kin.from === null ? null : ({ id: kin.from, by: 'fork' } as const);
  return {
    ...shown(session),
    from: before ? follows(before, before.id) : forked,
    into: [
      ...(session.next ? [follows(session, session.next)] : []),
      ...kin.into.map(id => ({ id, by: 'fork' as const })),
    ],
  };
};

const explain = (session: Folded): Explanation => {
  const { trail, file, asks, hooked } = session.memory;
  return {
    session: shown(session),
    steps: trail,
    file: file && { status: file.status, waitingFor: file.waitingFor, at: file.evidence.at },
    asks: asks.map(ask => `${ask.kind}: ${ask.detail.line}`),
    hookedAt: hooked,
  };
};

/** The one session that an id or a prefix of it names. */
export const findSession = (roll: Roll, id: string): Folded => {
  const found = roll.named(id);
  if (found.length > 1)
    throw new DroverError(
      'ambiguous',
      `${found.length} sessions begin with ${id}: ${found
        .slice(0, 5)
        .map(session => session.id)
        .join(', ')}.`,
    );
  if (!found[0]) throw new DroverError('no_session', `No session begins with ${id}.`);
  return found[0];
};
