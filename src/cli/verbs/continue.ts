/** `drover continue`: schedules a message for the reset of a usage limit, lists and cancels such messages. */
import { titleOf } from '../../client/board/labels.ts';
import { call as ask } from '../../client/call.ts';
import { durationOf } from '../../client/duration.ts';
import { clean } from '../../client/text.ts';
import { DroverError, errors } from '../../contract/error.ts';
import type { Session } from '../../contract/session.ts';
import { shortId } from '../../contract/short-id.ts';
import { shortTime } from '../../session/state-text.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const isAll = flag(call, 'all');
  const isCancel = flag(call, 'cancel');
  const [given] = call.args;
  if (isAll && given !== undefined) throw new DroverError('usage', 'Name a session or give --all, not both.');
  if (flag(call, 'list') || (!isAll && given === undefined && !flag(call, 'at-reset') && !isCancel))
    return list(call);
  if (!isCancel && !flag(call, 'at-reset'))
    throw new DroverError('usage', '--at-reset is missing.', 'It sends the message after the reset.');
  const act = isCancel ? cancel : schedule;
  if (!isAll) return report(call, [await act(call, await sessionArg(call))], []);
  return forAll(call, isCancel ? isScheduled : isWaiting, act);
};

const isScheduled = ({ continuation }: Session): boolean => continuation !== null;
const isWaiting = ({ limit, continuation }: Session): boolean => limit !== null && continuation === null;

const schedule = (call: Call, id: string): Promise<Session> => {
  const message = text(call, 'message');
  const within = text(call, 'within');
  return ask(call.paths, 'scheduleContinuation', {
    id,
    body: {
      ...(message !== undefined && { text: message }),
      ...(within !== undefined && { within: secondsOf(within) }),
    },
  });
};

const cancel = (call: Call, id: string): Promise<Session> => ask(call.paths, 'cancelContinuation', { id });

/** One after another, so that the daemon gives each its own time. One that is refused does not stop the others. */
const forAll = async (
  call: Call,
  fits: (session: Session) => boolean,
  act: (call: Call, id: string) => Promise<Session>,
): Promise<number> => {
  const done: Session[] = [];
  const refused: { session: Session; why: string }[] = [];
  for (const session of (await live(call)).filter(fits)) {
    try {
      done.push(await act(call, session.id));
    } catch (error) {
      if (!(error instanceof DroverError) || ![404, 409].includes(error.status)) throw error;
      const advice = error.hint === errors[error.code].hint ? '' : ` ${error.hint}`;
      refused.push({ session, why: `${error.message}${advice}` });
    }
  }
  return report(call, done, refused);
};

const report = (call: Call, sessions: Session[], refused: { session: Session; why: string }[]): number => {
  if (flag(call, 'json'))
    call.out(
      JSON.stringify({ sessions, refused: refused.map(({ session, why }) => ({ id: session.id, why })) }),
    );
  else {
    for (const session of sessions) call.out(described(session));
    for (const { session, why } of refused) call.out(`${shortId(session.id)}  ${titleOf(session)}: ${why}`);
    if (sessions.length + refused.length === 0) call.out('No session waits for a usage limit');
  }
  return sessions.length === 0 ? errors.refused.exit : 0;
};

const list = async (call: Call): Promise<number> => {
  const sessions = (await live(call)).filter(isScheduled);
  if (flag(call, 'json')) call.out(JSON.stringify({ sessions }));
  else if (sessions.length === 0) call.out('No message is scheduled');
  else for (const session of sessions) call.out(described(session));
  return 0;
};

const live = async (call: Call): Promise<Session[]> =>
  (await ask(call.paths, 'listSessions', { query: { live: 1 } })).sessions;

const described = (session: Session): string => {
  const { id, continuation } = session;
  const name = `${shortId(id)}  ${clean(titleOf(session))}`;
  if (!continuation) return `${name}: cancelled`;
  return `${name}: ${JSON.stringify(continuation.text)} at ${shortTime(continuation.sendAt, Date.now())}`;
};

const secondsOf = (given: string): number => {
  const ms = durationOf(given);
  if (ms === null || ms === 0)
    throw new DroverError('usage', `--within ${given} is not a duration.`, 'Such as 90min, 8h or 2d.');
  return ms / 1_000;
};
