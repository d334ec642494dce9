/** `drover hold`: lets hooks of a session, or of all, wait for an answer through Drover; or stops that. */
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  if (flag(call, 'all')) return holdAll(call);
  const approvals = flag(call, 'off') ? 'terminal' : 'held';
  const id = await sessionArg(call);
  const session = await ask(call.paths, 'setApprovals', { id, body: { approvals } });
  const short = shortId(session.id);
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else if (session.approvals === 'terminal')
    call.out(`${short} is no longer held. \`drover answer\` uses its terminal.`);
  else {
    call.out(
      `${short} is held from its next request on. Answer with \`drover answer ${short} …\` or in its terminal.`,
    );
    for (const request of session.requests.filter(({ until }) => until === null))
      call.out(`The open request is not included (${request.line}): \`drover answer\` uses its terminal.`);
  }
  if (session.approvals === 'held' && session.hooks === 'silent')
    call.err('drover: its hooks do not arrive, so its requests cannot be held; run `drover doctor`');
  return 0;
};

const holdAll = async (call: Call): Promise<number> => {
  if (call.args.length > 0) throw new DroverError('usage', 'drover hold: --all takes no session.');
  const body = { approvals: flag(call, 'off') ? ('terminal' as const) : ('held' as const) };
  const held = await ask(call.paths, 'setAllApprovals', { body });
  const count = `${held.sessions} ${held.sessions === 1 ? 'session' : 'sessions'}`;
  if (flag(call, 'json')) call.out(JSON.stringify(held));
  else if (held.approvals === 'held')
    call.out(`${count} changed. Every session is held, including those that start later.`);
  else call.out(`${count} changed. Sessions that start later are as \`approvals\` in config.json says.`);
  return 0;
};
