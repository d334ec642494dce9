/** `drover dismiss`: defers a session until its state changes. */
import { call as ask } from '../../client/call.ts';
import { deferSession, nameOf } from '../pick/defer-session.ts';
import type { Call } from '../verb.ts';

export const run = (call: Call): Promise<number> =>
  deferSession(
    call,
    call.args[0],
    id => ask(call.paths, 'dismissSession', { id }),
    item => `Dismissed ${nameOf(item)} until its state changes`,
  );
