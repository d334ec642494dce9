/** `drover skip`: someone else first. */
import { call as ask } from '../../client/call.ts';
import { actOn, nameOf } from '../pick/act-on.ts';
import type { Call } from '../verb.ts';

export const run = (call: Call): Promise<number> =>
  actOn(
    call,
    call.args[0],
    id => ask(call.paths, 'skipSession', { id }),
    item => `skipped ${nameOf(item)}: now at place ${item.place}, passed over for 30 s`,
  );
