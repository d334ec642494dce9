/** The sessions as they are now. */
import type { SessionInFull } from '../../contract/answer.ts';
import type { Explanation } from '../../contract/api.ts';
import { DroverError } from '../../contract/error.ts';
import { State } from '../../contract/session.ts';
import type { Holds } from '../../hub/holds.ts';
import type { Roll } from '../../live/roll.ts';
import { type Folded, shown } from '../../session/memory.ts';
import type { Handlers } from '../app.ts';

export const sessionHandlers = (
  roll: Roll,
  holds: Holds,
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
  readSession: ({ id }): SessionInFull => {
    const session = findSession(roll, id);
    return { ...shown(session), pending: holds.requestOf(session.id) };
  },
  explainSession: ({ id }) => explain(findSession(roll, id)),
});

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
