/** `drover token rotate`: a new token; whoever holds the old one, or a page, is out. */
import { rmSync } from 'node:fs';
import { call as ask } from '../client/call.ts';
import { isDown } from '../client/stream.ts';
import { DroverError } from '../contract/error.ts';
import { newToken } from '../daemon/register.ts';
import { type Call, flag } from './verb.ts';

export const run = async (call: Call): Promise<number> => {
  if (call.words[0] !== 'rotate')
    throw new DroverError('usage', 'Say what to do: `drover token rotate`.', `It is in ${call.paths.token}.`);
  await ask(call.paths, 'POST', '/token/rotate').catch((error: unknown) => {
    if (!isDown(error)) throw error;
    newToken(call.paths.token);
    rmSync(call.paths.pages, { force: true });
  });
  if (flag(call, 'json')) call.out(JSON.stringify({ ok: true }));
  else call.out(`a new token is in ${call.paths.token}; every browser is signed out`);
  return 0;
};
