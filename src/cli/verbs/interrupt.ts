/** `drover interrupt`: interrupts a session with Esc. */
import { stateText } from '../../client/board/labels.ts';
import { call as ask } from '../../client/call.ts';
import { limits } from '../../limits.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const id = await sessionArg(call);
  const timeout = limits.stop.interrupt + limits.daemon.answerTimeout;
  const session = await ask(call.paths, 'interruptSession', { id, timeout });
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else call.out(`${shortId(session.id)} is ${stateText(session, Date.now())}`);
  return 0;
};
