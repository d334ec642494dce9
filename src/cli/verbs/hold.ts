/** `drover hold`: lets Drover answer the requests of a session, or only its terminal. */
import { call as ask } from '../../client/call.ts';
import { type Call, flag, firstArg } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const approvals = flag(call, 'off') ? 'terminal' : 'held';
  const id = firstArg(call, 'session');
  const session = await ask(call.paths, 'setApprovals', { id, body: { approvals } });
  const short = shortId(session.id);
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else if (session.approvals === 'terminal')
    call.out(`${short} is no longer held. Answer it in its terminal.`);
  else {
    call.out(
      `${short} is held from its next request on. Answer with \`drover answer ${short} …\` or in its terminal.`,
    );
    for (const request of session.requests.filter(({ until }) => until === null))
      call.out(`The open request is not included (${request.line}): answer it in its terminal.`);
  }
  if (session.approvals === 'held' && session.hooks === 'silent')
    call.err('drover: its hooks do not arrive, so its requests cannot be held; run `drover doctor`');
  return 0;
};
