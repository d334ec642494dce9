/** `drover dismiss`: not until something happens there. */
import { call as ask } from '../../client/call.ts';
import { actOn, nameOf } from '../pick/act-on.ts';
import type { Call } from '../verb.ts';

export const run = (call: Call): Promise<number> =>
  actOn(
    call,
    call.args[0],
    id => ask(call.paths, 'dismissSession', { id }),
    item => `dismissed ${nameOf(item)}: passed over until its state changes`,
  );
