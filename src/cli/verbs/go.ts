/** `drover go`: goes to the pane of a session. */
import { call as ask } from '../../client/call.ts';
import { findTmuxClient } from '../../tmux/keys/jump.ts';
import { attachThisTerminal, goToPane } from '../pick/go-to-pane.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const id = await sessionArg(call);
  const client = text(call, 'client');
  if (client !== undefined) {
    const went = await ask(call.paths, 'goToSession', { id, body: { client } });
    if (flag(call, 'json')) call.out(JSON.stringify(went));
    return 0;
  }
  const session = await ask(call.paths, 'readSession', { id });
  if (flag(call, 'attach')) return attachThisTerminal(call, session);
  return goToPane(call, await findTmuxClient(call.env), session);
};
