/** Sends messages to sessions, now or after a usage limit, and reads their receipts. */
import { isByHand } from '../../contract/caller.ts';
import { DroverError } from '../../contract/error.ts';
import type { Continuations } from '../../hub/limit/continuations.ts';
import type { Messages } from '../../hub/message/messages.ts';
import type { Receipts } from '../../hub/message/receipts.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import { shown } from '../../session/memory.ts';
import type { Handlers } from '../call.ts';
import { countOf } from '../count.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { findNewest, findSession } from './sessions.ts';

export interface MessageHandlersDeps {
  sessionIndex: SessionIndex;
  messages: Pick<Messages, 'firstStatus'>;
  /** Sends a message; a parked session is started first. */
  send: Messages['send'];
  receipts: Receipts;
  continuations: Continuations;
}

export const messageHandlers = ({
  sessionIndex,
  messages,
  send,
  receipts,
  continuations,
}: MessageHandlersDeps): Pick<
  Handlers,
  'sendMessage' | 'listMessages' | 'readMessage' | 'scheduleContinuation' | 'cancelContinuation'
> => ({
  sendMessage: async ({ params, headers, body, action, caller }) => {
    action.text = body.text;
    const session = findSession(sessionIndex, params.id);
    const message = await send(session, body, idempotencyKey(headers), isByHand(caller));
    const receipt = await (body.wait
      ? receipts.until(message.id, body.wait, body.timeout * 1_000)
      : messages.firstStatus(message));
    if (receipt.status === 'refused')
      throw new DroverError(
        'refused',
        receipt.reason ?? undefined,
        `Message ${receipt.id}; nothing was typed.`,
      );
    return receipt;
  },
  listMessages: ({ params: { id }, query }) => ({
    messages: receipts.ofSession(findSession(sessionIndex, id).id, countOf(query.get('last'), 100, 1_000)),
  }),
  readMessage: ({ params: { id } }) => {
    const receipt = receipts.read(id);
    if (!receipt) throw new DroverError('no_message', `There is no message ${id}.`);
    return receipt;
  },
  scheduleContinuation: async ({ params: { id }, body, action }) => {
    if (body.text !== undefined) action.text = body.text;
    return shown(await continuations.schedule(findNewest(sessionIndex, id), body));
  },
  cancelContinuation: async ({ params: { id } }) =>
    shown(await continuations.cancel(findNewest(sessionIndex, id))),
});
