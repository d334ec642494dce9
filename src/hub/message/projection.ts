/** Writes the table of messages from their events, in the transaction of each event: durable with it, or not at all. */
import type { View } from '../../live/loop.ts';
import { reduceMessage } from '../../session/message/message.ts';
import { messageEventOf } from '../../session/message/message-event.ts';
import type { Store } from '../../store/store.ts';

export const messageProjection = (
  { receipts }: Store,
  onError: (message: string, error: unknown) => void,
): View => ({
  name: 'messages',
  onCommit: ({ event, payload }) => {
    const said = event.source === 'drover' ? messageEventOf(event, payload) : null;
    if (!said) return;
    const before = receipts.read(said.message);
    const after = reduceMessage(before, said);
    if (after) receipts.save(after);
    else onError('Ignored a message event', new Error(`${said.name} in phase ${before?.phase ?? 'none'}`));
  },
});
