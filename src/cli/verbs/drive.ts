/** `drover drive`: allows or forbids programs to type into a session that a person started. */
import { call as ask } from '../../client/call.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const id = await sessionArg(call, flag(call, 'off') ? {} : { confirm: 'Let programs type into' });
  const session = await ask(call.paths, 'setDriven', { id, body: { on: !flag(call, 'off') } });
  const short = shortId(session.id);
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else if (session.driven) call.out(`Programs may now type into, interrupt and stop ${short}.`);
  else
    call.out(
      session.managed
        ? `Programs may still type into ${short}, because Drover manages it`
        : `Programs can no longer type into ${short}`,
    );
  return 0;
};
