/** Messages to sessions, with receipts: accepts them, and types them one at a time for each session, in order. */
import { createHash, randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import { shortId } from '../../contract/short-id.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Receipt, SendMessage } from '../../contract/hub.ts';
import { limits } from '../../limits.ts';
import { DeliveryQueue } from '../../live/delivery-queue.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import { isBegun, type MessageState } from '../../session/message/message.ts';
import type { Store } from '../../store/store.ts';
import type { DrivePolicy } from '../drive-policy.ts';
import { dialogText, openDialog } from '../open-dialog.ts';
import { isUp } from '../start/await-ready.ts';
import { targetOf } from '../target.ts';
import { PromptWriter } from './prompt-writer.ts';
import type { Receipts } from './receipts.ts';
import { checkedText } from './text.ts';
import { isPromptOf } from './turn.ts';
import { Turns } from './turns.ts';

/** A message that was accepted. */
export type Sent = Pick<MessageState, 'id' | 'sessionId'>;

export class Messages {
  readonly name = 'messages';
  /** Messages to be typed, by session. */
  private readonly queue: DeliveryQueue<string>;
  /** Accepted a moment ago, and not durable yet. */
  private readonly accepted = new Map<string, Promise<boolean>>();
  private readonly turns: Turns;
  private readonly promptWriter: PromptWriter;
  private closed = false;

  constructor(
    private readonly loop: Loop,
    private readonly store: Store,
    private readonly receipts: Receipts,
    private readonly clock: Clock,
    private readonly drive: DrivePolicy,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    this.turns = new Turns(loop, store, receipts, clock, onError);
    this.promptWriter = new PromptWriter(loop, store, receipts, this.turns, clock, drive);
    this.queue = new DeliveryQueue(
      {
        delay: (sessionId, [id]) => (this.mayType(sessionId, id) ? 0 : null),
        deliver: (sessionId, [id]) => this.deliver(sessionId, id as string),
        failed: (sessionId, [id], error) => this.failed(sessionId, id as string, error),
      },
      clock,
    );
  }

  /** Continues with the messages of an earlier daemon. */
  start(): void {
    this.store.write(() => this.store.receipts.removeBefore(this.clock.now() - limits.message.receiptAge));
    const interrupted = new Map<string, string[]>();
    for (const message of this.receipts.load()) {
      const { id, sessionId, phase } = message;
      if (phase === 'queued') this.queue.add(sessionId, id);
      else if (phase === 'submitted') this.turns.add(message);
      else interrupted.set(sessionId, [...(interrupted.get(sessionId) ?? []), id]);
    }
    for (const [sessionId, ids] of interrupted)
      this.recover(sessionId, ids).catch(error => this.onError('Could not recover messages', error));
    for (const sessionId of this.queue.keys()) this.queue.wake(sessionId);
  }

  close(): void {
    this.closed = true;
    this.queue.close();
    this.promptWriter.close();
    this.turns.close();
  }

  /** Accepts a message, or throws why not; resolves when it is durable. The same `key` again gives the same message. */
  async send(session: Folded, body: SendMessage, key: string | null, byHand = false): Promise<Sent> {
    const { as, force } = body;
    const text = checkedText(body.text, as);
    const digest = createHash('sha256')
      .update(JSON.stringify([text, as]))
      .digest('hex');
    const before = key === null ? null : this.receipts.byKey(session.id, key);
    if (before) {
      if (before.digest !== digest)
        throw new DroverError('refused', 'This Idempotency-Key was used for another message.');
      await this.accepted.get(before.id);
      return before;
    }
    this.assertMayQueue(session, byHand);
    const id = randomUUID();
    const fields = { text, as, force, key, digest, ...(byHand && { byHand }) };
    const durable = this.receipts.commit(id, session.id, 'MessageQueued', fields);
    this.accepted.set(id, durable);
    await durable.finally(() => this.accepted.delete(id));
    this.queue.add(session.id, id);
    this.queue.wake(session.id);
    return { id, sessionId: session.id };
  }

  /** The first status of a message: one that has to wait is `queued`, any other is typed or refused soon. */
  firstStatus({ id, sessionId }: Sent): Promise<Receipt> {
    const isNext = this.queue.isNext(sessionId, id);
    return this.receipts.until(id, 'typed', isNext ? limits.message.pasteTimeout : 0);
  }

  /** Withdraws a message that nobody has begun to type. Returns whether it was one. */
  withdraw(id: string): boolean {
    const message = this.receipts.state(id);
    if (message?.phase !== 'queued') return false;
    this.queue.remove(message.sessionId, [id]);
    this.receipts.withdraw(id);
    return true;
  }

  /**
   * Interrupts a session, by `esc`, while nothing is typed into it. If Claude Code restores our message in its prompt, it is
   * cleared from there before the next message comes.
   */
  async interrupt(session: Folded, esc: () => Promise<Folded>): Promise<Folded> {
    // A delivery ends up to one poll after its message was submitted, so wait for it.
    const release = await this.queue.reserve(session.id, limits.message.restoredPrompt);
    if (!release) return esc();
    try {
      const text = this.turns.textOf(session.id);
      const after = await esc();
      if (text !== null) await this.promptWriter.clearRestored(session, text);
      return after;
    } finally {
      release();
    }
  }

  /** Reserves a session, so that no message is typed into it; null when one is being typed. */
  reserve(sessionId: string): Promise<(() => void) | null> {
    return this.queue.reserve(sessionId, 0);
  }

  /** Whether a message waits to be typed into a session, or for its answer. */
  hasOpen(sessionId: string): boolean {
    return this.receipts.openMessages().some(one => one.sessionId === sessionId);
  }

  private assertMayQueue(session: Folded, byHand: boolean): void {
    this.drive.assertMayDrive(session, byHand);
    targetOf(session);
    const dialog = openDialog(session);
    if (dialog)
      throw new DroverError(
        'refused',
        `A dialog is open (${dialogText(dialog)}), and typed text would answer it.`,
        `Answer it first: \`drover answer ${shortId(session.id)}\`, or in its terminal.`,
      );
    const waiting = this.receipts
      .openMessages()
      .filter(one => one.sessionId === session.id && isWaiting(one));
    if (waiting.length >= limits.message.queued)
      throw new DroverError(
        'refused',
        `${limits.message.queued} messages are already queued for this session.`,
      );
  }

  /** Whether a session takes this message now. For one that has ended it is refused at once. */
  private mayType(sessionId: string, id: string | undefined): boolean {
    const session = this.loop.sessionIndex.get(sessionId);
    if (!session) return false;
    const message = id === undefined ? null : this.receipts.state(id);
    return session.state === 'ended' || canTake(session, message?.force ?? false, this.turns.has(sessionId));
  }

  private async deliver(sessionId: string, id: string): Promise<void> {
    const session = this.loop.sessionIndex.get(sessionId);
    if (session) await this.promptWriter.deliver(session, id);
    this.queue.remove(sessionId, [id]);
  }

  private failed(sessionId: string, id: string, error: unknown): void {
    this.queue.remove(sessionId, [id]);
    // A daemon that is stopping leaves it to the next one.
    if (this.closed) return;
    this.onError(`Could not deliver message ${id}`, error);
    const reason = 'Internal error. See the daemon log.';
    void this.receipts.record(id, 'MessageUnknown', { reason });
  }

  onCommit({ event, payload, changed }: Commit): void {
    this.turns.onEvent(event, payload);
    if (event.source === 'hook' && event.name === 'UserPromptSubmit' && event.sessionId)
      this.onPrompt(event.sessionId, event, payload);
    for (const { after } of changed) {
      this.turns.finishEnded(after);
      if (after.state === 'ended') this.promptWriter.forget(after.id);
      if (after.next) this.moveTo(after.next, after.id);
      this.queue.wake(after.id);
    }
  }

  private onPrompt(sessionId: string, event: Event, hook: Hook | null): void {
    if (this.turns.onPrompt(sessionId, event, hook)) return;
    const message = this.receipts
      .openMessages()
      .filter(isBegun)
      .filter(one => one.sessionId === sessionId && one.phase !== 'submitted')
      .find(one => event.seq > one.typingSeq && isPromptOf(hook, one.text));
    if (message) this.turns.submit(message, event.at, event.seq);
  }

  /** After `/clear` what still waits is for the conversation that follows. */
  private moveTo(next: string, sessionId: string): void {
    const moved = this.queue.items(sessionId).filter(id => this.receipts.state(id)?.phase === 'queued');
    if (moved.length === 0) return;
    this.queue.remove(sessionId, moved);
    for (const id of moved) void this.receipts.record(id, 'MessageMoved', {}, { sessionId: next });
    this.queue.add(next, ...moved);
    this.queue.wake(next);
  }

  /** Recovers the messages that were being typed into a session when the last daemon stopped. */
  private async recover(sessionId: string, ids: string[]): Promise<void> {
    const release = await this.queue.reserve(sessionId, 0);
    const isQueued = await Promise.all(
      ids.map(id =>
        this.promptWriter.recover(id).catch((error: unknown) => {
          this.onError(`Could not recover message ${id}`, error);
          return false;
        }),
      ),
    );
    this.queue.addFirst(sessionId, ...ids.filter((_, at) => isQueued[at]));
    release?.();
  }
}

const isWaiting = (message: MessageState): boolean =>
  message.phase === 'queued' || (isBegun(message) && message.phase !== 'submitted' && !message.carried);

/** A session takes a message at its prompt, or while it works if forced. What was sent before is answered first. */
const canTake = (session: Folded, force: boolean, isRunning: boolean): boolean => {
  if (openDialog(session)) return false;
  if (session.state === 'working') return force;
  return !isRunning && isUp(session);
};
