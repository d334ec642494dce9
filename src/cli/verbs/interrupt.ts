/** `drover interrupt`: Esc for a session, and the state that shows it. */
import { call as ask } from '../../client/call.ts';
import { limits } from '../../limits.ts';
import { type Call, flag, firstArg } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const id = firstArg(call, 'session');
  const timeout = limits.stop.interrupt + limits.daemon.answerTimeout;
  const session = await ask(call.paths, 'interruptSession', { id, timeout });
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else
    call.out(
      `${session.id.slice(0, 8)} is ${session.state}${session.reason ? `/${session.reason}` : ''} now`,
    );
  return 0;
};
