/** What became of each message: in the store at once, in the log for whoever reads it later, and told to who waits. */
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { MessageWait, Receipt } from '../../contract/hub.ts';
import type { Loop } from '../../live/loop.ts';
import { Retries } from '../../live/retries.ts';
import type { Message } from '../../store/receipt-table.ts';
import type { Store } from '../../store/store.ts';
import type { MessageEventName, MessageFields } from '../../session/message-event.ts';
import { ownEvent } from '../../session/own-event.ts';
import { MessageShadow } from './shadow.ts';

export class Receipts {
  private readonly watchers = new Set<() => void>();
  private readonly listeners = new Set<(id: string) => void>();
  private readonly retries: Retries;
  private readonly shadow: MessageShadow;
  private closed = false;

  constructor(
    private readonly loop: Loop,
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    this.retries = new Retries(onError);
    this.shadow = new MessageShadow(loop, store, onError);
  }

  /** Lets everybody go who waits. */
  close(): void {
    this.closed = true;
    this.tell();
  }

  /** Calls `listener` whenever a message has changed. */
  listen(listener: (id: string) => void): void {
    this.listeners.add(listener);
  }

  read(id: string): Receipt | null {
    const message = this.store.receipts.read(id);
    return message && receiptOf(message);
  }

  /** Whether a message was sent under this name, to whichever session. */
  isKnown(key: string): boolean {
    return this.store.receipts.hasKey(key);
  }

  ofSession(id: string, most: number): Receipt[] {
    return this.store.receipts.ofSession(id, most).map(receiptOf);
  }

  /** Waits until a message has come so far, or can come no further, or the time is over. */
  async until(id: string, wait: MessageWait, ms: number): Promise<Receipt> {
    const deadline = this.clock.now() + ms;
    for (;;) {
      const message = this.store.receipts.read(id);
      if (!message) throw new DroverError('failed', 'The message was forgotten.');
      const left = deadline - this.clock.now();
      if (hasReached(message, wait) || left <= 0 || this.closed) return receiptOf(message);
      await this.change(left);
    }
  }

  /** The message is over. */
  end(message: Message, status: 'refused' | 'unknown', reason: string | null): void {
    message.status = status;
    message.reason = reason;
    message.text = null;
    void this.note(message, status === 'refused' ? 'MessageRefused' : 'MessageUnknown', { reason });
  }

  /** Takes back what nobody has begun to type. */
  withdraw(id: string): void {
    const message = this.store.receipts.read(id);
    if (message?.status === 'queued' && message.typingSeq === null) this.end(message, 'refused', withdrawn);
  }

  /** Keeps it as it is now, and puts an event into the log that says so; resolves when that is there. */
  note<Name extends MessageEventName>(
    message: Message,
    name: Name,
    fields: MessageFields[Name],
    at = this.clock.now(),
  ): Promise<void> {
    this.shadow.expect(message);
    this.save(message);
    const draft = ownEvent(name, message.sessionId, at, { message: message.id, ...fields });
    return this.loop.take([{ draft }]).catch(error => {
      this.onError('a message could not be noted', error);
      this.loop.record([draft]);
    });
  }

  /** Keeps it as it is now; while the store fails it is tried again. */
  save(message: Message): void {
    this.retries.write(`message ${message.id}`, () => this.put(message));
    this.changed(message);
  }

  /** Keeps it as it is now, or throws: nothing that depends on it may be done then. */
  saveNow(message: Message): void {
    this.put(message);
    this.changed(message);
  }

  private put(message: Message): void {
    this.store.write(() => this.store.receipts.save(message));
  }

  private changed(message: Message): void {
    this.tell();
    for (const listener of this.listeners) listener(message.id);
  }

  private tell(): void {
    for (const wake of this.watchers) wake();
  }

  private change(ms: number): Promise<void> {
    return new Promise(done => {
      const wake = () => {
        clearTimeout(timer);
        this.watchers.delete(wake);
        done();
      };
      const timer = setTimeout(wake, ms);
      this.watchers.add(wake);
    });
  }
}

export const withdrawn = 'It was withdrawn.';

const hasReached = ({ status, outcome, text }: Message, wait: MessageWait): boolean => {
  if (status === 'refused' || status === 'unknown' || outcome !== null) return true;
  if (wait === 'typed') return status !== 'queued';
  if (wait === 'submitted') return status === 'submitted';
  return text === null;
};

/** What the caller sees of it. */
const receiptOf = (message: Message): Receipt => {
  const { text, as, force, key, digest, typingSeq, carried, ...receipt } = message;
  void [text, as, force, key, digest, typingSeq, carried];
  return receipt;
};
