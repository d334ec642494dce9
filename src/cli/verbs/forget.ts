/** `drover forget`: clears sessions from the log and from everything derived from it. */
import { call as ask } from '../../client/call.ts';
import type { Forget } from '../../contract/api.ts';
import { DroverError } from '../../contract/error.ts';
import { momentOf } from '../output/moment.ts';
import { count } from '../output/say.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const gone = await ask(call.paths, 'forget', { body: wishOf(call) });
  if (flag(call, 'json')) call.out(JSON.stringify(gone));
  else
    call.out(
      `forgot ${count(gone.sessions)} sessions, ${count(gone.events)} events; Claude's own transcripts were not touched`,
    );
  return 0;
};

const wishOf = (call: Call): Forget => {
  const [id] = call.args;
  const before = text(call, 'before');
  const wishes = [id !== undefined, before !== undefined, flag(call, 'all')].filter(Boolean);
  if (wishes.length !== 1)
    throw new DroverError('usage', 'Say what to forget: one session, --before a time, or --all.');
  if (id !== undefined) return { id };
  return before === undefined ? { all: true } : { before: momentOf(before, 'before') };
};
