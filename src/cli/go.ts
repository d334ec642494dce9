/** `drover go`: to the pane of one session. */
import { call as ask } from '../client/call.ts';
import type { Session } from '../contract/session.ts';
import { askerOf } from '../tmux/jump.ts';
import { travel } from './travel.ts';
import { type Call, oneWord } from './verb.ts';

export const run = async (call: Call): Promise<number> => {
  const id = encodeURIComponent(oneWord(call, 'session'));
  const session = await ask<Session>(call.paths, 'GET', `/sessions/${id}`);
  return travel(call, await askerOf(call.env), session);
};
