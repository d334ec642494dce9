/** `drover stop`: ends a session in order. */
import { call as ask } from '../../client/call.ts';
import type { Session } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import { type Call, flag, firstArg } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const id = encodeURIComponent(firstArg(call, 'session'));
  const query = flag(call, 'force') ? '?force=1' : '';
  const patience = limits.stop.grace + limits.stop.kill + limits.daemon.answerTimeout;
  if (call.tty) call.err('stopping …');
  const session = await ask<Session>(call.paths, 'DELETE', `/sessions/${id}${query}`, undefined, patience);
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else call.out(`${session.id.slice(0, 8)} has ended (${session.reason})`);
  return 0;
};
