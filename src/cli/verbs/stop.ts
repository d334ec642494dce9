/** `drover stop`: ends a session in order. */
import { call as ask } from '../../client/call.ts';
import { limits } from '../../limits.ts';
import { type Call, flag, firstArg } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const timeout = limits.stop.grace + limits.stop.kill + limits.daemon.answerTimeout;
  if (call.tty) call.err('stopping …');
  const session = await ask(call.paths, 'stopSession', {
    id: firstArg(call, 'session'),
    query: { force: flag(call, 'force') ? 1 : undefined },
    timeout,
  });
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else call.out(`${session.id.slice(0, 8)} has ended (${session.reason})`);
  return 0;
};
