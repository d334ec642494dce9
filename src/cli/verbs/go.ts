/** `drover go`: to the pane of one session. */
import { call as ask } from '../../client/call.ts';
import type { Went } from '../../contract/page.ts';
import type { Session } from '../../contract/session.ts';
import { tmuxClientOf } from '../../tmux/keys/jump.ts';
import { travel } from '../pick/travel.ts';
import { type Call, flag, firstArg, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const id = encodeURIComponent(firstArg(call, 'session'));
  const client = text(call, 'client');
  if (client !== undefined) {
    const went = await ask<Went>(call.paths, 'POST', `/sessions/${id}/go`, { client });
    if (flag(call, 'json')) call.out(JSON.stringify(went));
    return 0;
  }
  const session = await ask<Session>(call.paths, 'GET', `/sessions/${id}`);
  return travel(call, await tmuxClientOf(call.env), session);
};
