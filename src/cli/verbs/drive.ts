/** `drover drive`: lets programs type into a session that a person started, or not any more. */
import { call as ask } from '../../client/call.ts';
import { type Call, flag, firstArg } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const id = firstArg(call, 'session');
  const session = await ask(call.paths, 'setDriven', { id, body: { on: !flag(call, 'off') } });
  const short = session.id.slice(0, 8);
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else if (session.driven) call.out(`${short} may be typed into, interrupted and stopped by programs`);
  else call.out(`${short} is left to you${session.managed ? ', and to the hub that started it' : ''}`);
  return 0;
};
