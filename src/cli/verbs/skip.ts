/** `drover skip`: moves a session to the back of the queue. */
import { call as ask } from '../../client/call.ts';
import { deferSession, nameOf } from '../pick/defer-session.ts';
import type { Call } from '../verb.ts';

export const run = (call: Call): Promise<number> =>
  deferSession(
    call,
    call.args[0],
    id => ask(call.paths, 'skipSession', { id }),
    item => `Skipped ${nameOf(item)}: now at position ${item.position}, deferred for 30 s`,
  );
