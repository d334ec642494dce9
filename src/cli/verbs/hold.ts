/** `drover hold`: lets the requests of a session wait for an answer through Drover, or leaves them to its terminal. */
import { call as ask } from '../../client/call.ts';
import { type Call, flag, firstArg } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const approvals = flag(call, 'off') ? 'terminal' : 'held';
  const id = firstArg(call, 'session');
  const session = await ask(call.paths, 'setApprovals', { id, body: { approvals } });
  const short = session.id.slice(0, 8);
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else if (session.approvals === 'terminal') call.out(`${short} is answered in its terminal alone`);
  else
    call.out(
      `${short} is held from its next request on; \`drover answer ${short} …\` answers, and so does its terminal`,
    );
  if (session.approvals === 'held' && session.hooks === 'silent')
    call.err('drover: its hooks are not reaching us, so nothing can be held; `drover doctor` finds out why');
  return 0;
};
