/** `drover interrupt`: Esc for a session, and the state that shows it. */
import { call as ask } from '../../client/call.ts';
import type { Session } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import { type Call, flag, firstArg } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const id = encodeURIComponent(firstArg(call, 'session'));
  const patience = limits.stop.interrupt + limits.daemon.answerTimeout;
  const session = await ask<Session>(call.paths, 'POST', `/sessions/${id}/interrupt`, {}, patience);
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else
    call.out(
      `${session.id.slice(0, 8)} is ${session.state}${session.reason ? `/${session.reason}` : ''} now`,
    );
  return 0;
};
