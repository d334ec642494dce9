/** `drover forget`: deletes sessions from the log and everything derived from it. */
import { call as ask } from '../../client/call.ts';
import type { Forget } from '../../contract/api.ts';
import { DroverError } from '../../contract/error.ts';
import { timeOf } from '../output/time-of.ts';
import { count } from '../output/format.ts';
import { sessionNamed } from '../pick/session-arg.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const deleted = await ask(call.paths, 'forget', { body: await targetOf(call) });
  if (flag(call, 'json')) call.out(JSON.stringify(deleted));
  else
    call.out(
      `Deleted ${count(deleted.sessions)} sessions and ${count(deleted.events)} events. Claude's own transcripts were not changed.`,
    );
  return 0;
};

const targetOf = async (call: Call): Promise<Forget> => {
  const [id] = call.args;
  const before = text(call, 'before');
  const targets = [id !== undefined, before !== undefined, flag(call, 'all')].filter(Boolean);
  if (targets.length !== 1)
    throw new DroverError('usage', 'Name exactly one of: a session, --before or --all.');
  if (id !== undefined) return { id: await sessionNamed(call, id, { confirm: 'Forget' }) };
  return before === undefined ? { all: true } : { before: timeOf(before, 'before') };
};
