/** `drover interrupt`: interrupts a session with Esc. */
import { call as ask } from '../../client/call.ts';
import { limits } from '../../limits.ts';
import { type Call, flag, firstArg } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const id = firstArg(call, 'session');
  const timeout = limits.stop.interrupt + limits.daemon.answerTimeout;
  const session = await ask(call.paths, 'interruptSession', { id, timeout });
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else call.out(`${shortId(session.id)} is ${session.state}${session.reason ? `/${session.reason}` : ''}`);
  return 0;
};
