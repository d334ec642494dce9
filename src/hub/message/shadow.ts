/** Runs the reducer over the message events beside the objects, and reports each receipt that differs. */
import { isDeepStrictEqual } from 'node:util';
import type { Receipt } from '../../contract/hub.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import { messageOf } from '../../session/earlier-message.ts';
import { type MessageState, receiptOf, reduceMessage } from '../../session/message.ts';
import { messageEventOf } from '../../session/message-event.ts';
import type { Message } from '../../store/receipt-table.ts';
import type { Store } from '../../store/store.ts';

export class MessageShadow {
  private readonly states = new Map<string, MessageState>();
  private readonly expected = new Map<string, Receipt[]>();

  constructor(
    loop: Loop,
    private readonly store: Store,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    loop.addProjection({ name: 'message shadow', onCommit: commit => this.reduce(commit) });
  }

  /** Remembers the receipt that the next event of this message should lead to. */
  expect(message: Message): void {
    const { id } = message;
    const row = this.states.has(id) || this.expected.has(id) ? null : this.store.receipts.read(id);
    if (row) this.states.set(id, messageOf(row));
    const receipt = receiptOf(messageOf(structuredClone(message)));
    this.expected.set(id, [...(this.expected.get(id) ?? []), receipt]);
  }

  private reduce({ event, payload }: Commit): void {
    const said = event.source === 'drover' ? messageEventOf(event, payload) : null;
    if (!said) return;
    const [receipt, ...later] = this.expected.get(said.message) ?? [];
    if (!receipt) return;
    this.expected.set(said.message, later);
    const before = said.name === 'MessageQueued' ? null : (this.states.get(said.message) ?? null);
    const after = reduceMessage(before, said);
    if (after) this.states.set(said.message, after);
    const found = after && receiptOf(after);
    if (!isDeepStrictEqual(found, receipt))
      this.onError(
        `shadow: message ${said.message} differs`,
        new Error(`${said.name}: ${JSON.stringify(found)} instead of ${JSON.stringify(receipt)}`),
      );
  }
}
