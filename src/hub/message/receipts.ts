/**
 * Tracks the status of each message. A change is an event. It is applied to the open message at once, so that the next decision
 * sees it, and to the stored one in the transaction of the event. Programs read the stored one.
 */
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { MessageWait, Receipt } from '../../contract/hub.ts';
import type { Commit, Loop, View } from '../../live/loop.ts';
import {
  hasReached,
  isFinished,
  isOpen,
  type MessageState,
  receiptOf,
  reduceMessage,
} from '../../session/message/message.ts';
import {
  type MessageEvent,
  type MessageEventName,
  type MessageFields,
  messageEventOf,
} from '../../session/message/message-event.ts';
import type { Store } from '../../store/store.ts';
import { ownEvent } from '../../session/own-event.ts';

export class Receipts {
  readonly name = 'receipts';
  /** Writes the table of messages in the transaction of each event: durable with it, or not at all. */
  readonly projection: View = { name: 'messages', onCommit: commit => this.project(commit) };
  /** Open messages, with events that are on their way into the log. */
  private readonly open = new Map<string, MessageState>();
  private readonly listeners = new Set<(id: string) => void>();
  private readonly closing = new AbortController();

  constructor(
    private readonly loop: Loop,
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    // A new database knows none of them.
    store.onReplaced(() =>
      store.write(() => {
        for (const state of this.open.values()) store.receipts.save(state);
      }),
    );
  }

  /** Ends every wait. */
  close(): void {
    this.closing.abort();
  }

  /** Calls `listener` whenever the stored state of a message has changed. */
  listen(listener: (id: string) => void): void {
    this.listeners.add(listener);
  }

  /** Loads the messages that an earlier daemon left open, oldest first. */
  load(): MessageState[] {
    for (const state of this.store.receipts.open())
      if (!this.open.has(state.id)) this.open.set(state.id, state);
    return this.openMessages();
  }

  /** The messages that are open now. */
  openMessages(): MessageState[] {
    return [...this.open.values()].filter(isOpen);
  }

  /** A message as it is now, also while its last event is on its way into the log. */
  state(id: string): MessageState | null {
    return this.open.get(id) ?? this.store.receipts.read(id);
  }

  byKey(sessionId: string, key: string): MessageState | null {
    const open = [...this.open.values()].find(one => one.sessionId === sessionId && one.key === key);
    return open ?? this.store.receipts.byKey(sessionId, key);
  }

  read(id: string): Receipt | null {
    const state = this.store.receipts.read(id);
    return state && receiptOf(state);
  }

  /** Whether a message was sent under this name, to whichever session. */
  isKnown(key: string): boolean {
    return this.store.receipts.hasKey(key);
  }

  ofSession(id: string, limit: number): Receipt[] {
    return this.store.receipts.ofSession(id, limit).map(receiptOf);
  }

  /** Waits until a message has come this far, or can come no further, or the time is over. */
  async until(id: string, wait: MessageWait, ms: number): Promise<Receipt> {
    const read = (): MessageState => {
      const state = this.store.receipts.read(id);
      if (!state) throw new DroverError('failed', 'The message was forgotten.');
      return state;
    };
    const reached = await this.loop.until(
      commit => {
        if (commit && messageIn(commit) !== id) return undefined;
        const state = read();
        return hasReached(state, wait) ? state : undefined;
      },
      { timeout: ms, signal: this.closing.signal },
    );
    return receiptOf(reached ?? read());
  }

  /** Withdraws a message that nobody has begun to type. */
  withdraw(id: string): void {
    if (this.state(id)?.phase === 'queued') void this.record(id, 'MessageRefused', { reason: withdrawn });
  }

  /**
   * Logs what has happened to a message; resolves when it is durable, or waits for a store that fails. An event that does not
   * apply is not logged.
   */
  async record<Name extends MessageEventName>(
    id: string,
    name: Name,
    fields: MessageFields[Name],
    { at = this.clock.now(), sessionId }: { at?: number; sessionId?: string } = {},
  ): Promise<void> {
    const before = this.state(id);
    const event = { name, message: id, sessionId: sessionId ?? before?.sessionId ?? '', at, ...fields };
    if (!this.apply(before, event as unknown as MessageEvent)) return;
    const draft = draftOf(event);
    // Keep the events of a message in order: append after those that wait for the store.
    if (this.loop.pending > 0) this.loop.record([draft]);
    else
      await this.loop.append([{ draft }]).catch(error => {
        this.onError(`Could not log ${name} yet`, error);
        this.loop.record([draft]);
      });
  }

  /** Logs an event that must be durable before anything is done, or throws. Returns false where it does not apply. */
  async commit<Name extends 'MessageQueued' | 'MessageTyping'>(
    id: string,
    sessionId: string,
    name: Name,
    fields: MessageFields[Name],
  ): Promise<boolean> {
    if (this.loop.pending > 0) throw new DroverError('store_failed');
    const before = this.state(id);
    const event = { name, message: id, sessionId, at: this.clock.now(), ...fields };
    const after = this.apply(before, event as unknown as MessageEvent);
    if (!after) return false;
    try {
      await this.loop.append([{ draft: draftOf(event) }]);
    } catch (error) {
      if (this.open.get(id) === after) this.restore(id, before);
      throw error;
    }
    return true;
  }

  private restore(id: string, before: MessageState | null): void {
    if (before) this.open.set(id, before);
    else this.open.delete(id);
  }

  private apply(before: MessageState | null, event: MessageEvent): MessageState | null {
    const after = reduceMessage(before, event);
    if (after) this.open.set(event.message, after);
    return after;
  }

  private project({ event, payload }: Commit): void {
    const said = event.source === 'drover' ? messageEventOf(event, payload) : null;
    if (!said) return;
    const before = this.store.receipts.read(said.message);
    const after = reduceMessage(before, said);
    if (after) this.store.receipts.save(after);
    else
      this.onError('Ignored a message event', new Error(`${said.name} in phase ${before?.phase ?? 'none'}`));
  }

  onCommit(commit: Commit): void {
    const id = messageIn(commit);
    if (id === null) return;
    const stored = this.store.receipts.read(id);
    // Finished, or forgotten.
    if (!stored || isFinished(stored)) this.open.delete(id);
    for (const listener of this.listeners) listener(id);
  }
}

export const withdrawn = 'It was cancelled.';

const draftOf = ({
  name,
  sessionId,
  at,
  ...fields
}: {
  name: string;
  sessionId: string;
  at: number;
  message: string;
}) => ownEvent(name, sessionId, at, fields);

/** The message that an event is about. */
const messageIn = ({ event, payload }: Commit): string | null => {
  if (event.source !== 'drover' || !event.name.startsWith('Message')) return null;
  const { message } = (payload ?? {}) as { message?: unknown };
  return typeof message === 'string' ? message : null;
};
