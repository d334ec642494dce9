/** `drover snooze`: defers a session for some time. */
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import { durationOf } from '../../client/duration.ts';
import { deferSession, nameOf } from '../pick/defer-session.ts';
import { clockTime } from '../output/format.ts';
import type { Call } from '../verb.ts';

export const run = (call: Call): Promise<number> => {
  const [session, time] = call.args.length > 1 ? call.args : [undefined, call.args[0]];
  const length = durationOf(time ?? '');
  if (length === null)
    throw new DroverError(
      'usage',
      time === undefined ? 'The duration is missing.' : `${JSON.stringify(time)} is not a duration.`,
      'For example `drover snooze 10min`, or `drover snooze 6c57b6 2h`.',
    );
  return deferSession(
    call,
    session,
    id => ask(call.paths, 'snoozeSession', { id, body: { seconds: length / 1_000 } }),
    item => `Snoozed ${nameOf(item)} until ${clockTime(item.until ?? 0)}`,
  );
};
