/** `drover next`: to the session that has waited longest for you. */
import { call as ask } from '../../client/call.ts';
import { tmuxClientOf } from '../../tmux/keys/jump.ts';
import { travel } from '../pick/travel.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const tmuxClient = await tmuxClientOf(call.env);
  // A claim belongs to a terminal: the tmux client, or the shell that this command was given in.
  const client = tmuxClient?.client ?? `shell-${process.ppid}`;
  const { next, waiting, held } = await ask(call.paths, 'nextInQueue', { body: { client } });
  if (next) return travel(call, tmuxClient, next.session);
  if (flag(call, 'json')) call.out(JSON.stringify({ session: null, waiting, held }));
  else call.out(waiting === 0 ? 'Nobody waits.' : `Nobody waits but ${held} that are passed over for now.`);
  return 1;
};
