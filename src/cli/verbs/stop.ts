/** `drover stop`: stops a session gracefully. */
import { call as ask } from '../../client/call.ts';
import { limits } from '../../limits.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const timeout = limits.stop.grace + limits.stop.kill + limits.daemon.answerTimeout;
  const id = await sessionArg(call, { confirm: 'Stop' });
  if (call.tty) call.err('Stopping …');
  const session = await ask(call.paths, 'stopSession', {
    id,
    query: { force: flag(call, 'force') ? 1 : undefined },
    timeout,
  });
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else call.out(`${shortId(session.id)} has ended (${session.reason})`);
  return 0;
};
