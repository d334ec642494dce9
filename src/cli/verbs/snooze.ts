/** `drover snooze`: not before some time has passed. */
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import { durationOf } from '../../client/duration.ts';
import { actOn, nameOf } from '../pick/act-on.ts';
import { clockTime } from '../output/say.ts';
import type { Call } from '../verb.ts';

export const run = (call: Call): Promise<number> => {
  const [session, time] = call.args.length > 1 ? call.args : [undefined, call.args[0]];
  const length = durationOf(time ?? '');
  if (length === null)
    throw new DroverError(
      'usage',
      time === undefined ? 'Say for how long.' : `${JSON.stringify(time)} is no length of time.`,
      'For example `drover snooze 10min`, or `drover snooze 6c57b6 2h`.',
    );
  return actOn(
    call,
    session,
    id => ask(call.paths, 'snoozeSession', { id, body: { seconds: length / 1_000 } }),
    item => `snoozed ${nameOf(item)} until ${clockTime(item.until ?? 0)}`,
  );
};
