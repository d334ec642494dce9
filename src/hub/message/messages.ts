/** Messages into sessions, with receipts: who may be sent one, and whose turn it is. One at a time for each session, in order. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Receipt, SendMessage } from '../../contract/hub.ts';
import { limits } from '../../limits.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import type { Message } from '../../store/receipt-table.ts';
import type { Store } from '../../store/store.ts';
import type { DrivePolicy } from '../drive-policy.ts';
import { openDialog } from '../open-dialog.ts';
import { targetOf } from '../target.ts';
import { isUp } from '../start/await-ready.ts';
import { type Receipts, withdrawn } from './receipts.ts';
import { checkedText } from './text.ts';
import { isPromptOf } from './turn.ts';
import { Turns } from './turns.ts';
import { PromptWriter } from './prompt-writer.ts';

export class Messages {
  readonly name = 'messages';
  /** What waits for each session, and whether somebody is at it. */
  private readonly lines = new Map<string, { waiting: Message[]; busy: boolean }>();
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
  }

  /** Takes up what an earlier daemon left. */
  start(): void {
    this.store.write(() => this.store.receipts.removeBefore(this.clock.now() - limits.message.receiptAge));
    for (const message of this.store.receipts.open()) {
      if (message.status === 'queued' && message.typingSeq === null) this.line(message).waiting.push(message);
      else if (message.status === 'submitted') this.turns.add(message);
      else this.clearUp(message).catch(error => this.onError('a message could not be cleared up', error));
    }
    for (const id of this.lines.keys()) this.pump(id);
  }

  close(): void {
    this.closed = true;
    this.promptWriter.close();
    this.turns.close();
  }

  /** Accepts a message, or throws why not. `key`: the same one again gives the same receipt. */
  send(session: Folded, wish: SendMessage, key: string | null): Message {
    const text = checkedText(wish.text, wish.as);
    const digest = createHash('sha256')
      .update(JSON.stringify([text, wish.as]))
      .digest('hex');
    const before = key === null ? null : this.store.receipts.byKey(session.id, key);
    if (before) {
      if (before.digest !== digest)
        throw new DroverError('refused', 'This Idempotency-Key was used for another message.');
      return before;
    }
    this.mayTake(session);
    const message: Message = {
      id: randomUUID(),
      sessionId: session.id,
      status: 'queued',
      reason: null,
      outcome: null,
      answer: null,
      usage: null,
      queuedAt: this.clock.now(),
      typedAt: null,
      submittedAt: null,
      answeredAt: null,
      text,
      as: wish.as,
      force: wish.force,
      key,
      digest,
      typingSeq: null,
      carried: false,
    };
    this.receipts.saveNow(message);
    const { as, force } = wish;
    void this.receipts.note(message, 'MessageQueued', { text, as, force, key, digest }, message.queuedAt);
    this.line(message).waiting.push(message);
    this.pump(session.id);
    return message;
  }

  /** What becomes of a message at once: one that waits for its turn is `queued`, any other is typed or refused. */
  firstWord({ id, sessionId }: Pick<Message, 'id' | 'sessionId'>): Promise<Receipt> {
    const line = this.lines.get(sessionId);
    const now = line?.busy && line.waiting[0]?.id === id;
    return this.receipts.until(id, 'typed', now ? limits.message.pasteTimeout : 0);
  }

  /** Takes a message back that nobody has begun to type. */
  withdraw(message: Message): void {
    const line = this.lines.get(message.sessionId);
    if (message.typingSeq !== null || message.text === null || !line?.waiting.includes(message)) return;
    line.waiting = line.waiting.filter(other => other !== message);
    this.receipts.end(message, 'refused', withdrawn);
  }

  /**
   * Interrupts a session, by `esc`, while nothing is typed into it. What we sent and Claude Code puts back into its line is
   * cleared from there, before the next message comes.
   */
  async interrupt(session: Folded, esc: () => Promise<Folded>): Promise<Folded> {
    const { id } = session;
    const busy = () => this.lines.get(id)?.busy ?? false;
    // What was submitted a moment ago is in our hands for a look longer.
    for (
      const deadline = this.clock.now() + limits.message.restoredPrompt;
      busy() && this.clock.now() < deadline;
    )
      await pause(limits.message.restoredPromptPoll);
    if (busy()) return esc();
    // Not before: one that nothing waits in is made anew.
    const line = this.line({ sessionId: id });
    line.busy = true;
    try {
      const text = this.turns.textOf(id);
      const after = await esc();
      if (text !== null) await this.promptWriter.takeBack(session, text);
      return after;
    } finally {
      line.busy = false;
      this.pump(id);
    }
  }

  private mayTake(session: Folded): void {
    this.drive.assertMayDrive(session);
    targetOf(session);
    const dialog = openDialog(session);
    if (dialog)
      throw new DroverError(
        'refused',
        `A dialog is open (${dialog}): what is typed would answer it.`,
        'Answer it first: POST /sessions/:id/answer or in the terminal.',
      );
    if ((this.lines.get(session.id)?.waiting.length ?? 0) >= limits.message.queued)
      throw new DroverError('refused', `${limits.message.queued} messages wait for this session already.`);
  }

  private line({ sessionId }: Pick<Message, 'sessionId'>): { waiting: Message[]; busy: boolean } {
    const line = this.lines.get(sessionId) ?? { waiting: [], busy: false };
    this.lines.set(sessionId, line);
    return line;
  }

  /** Delivers what waits for a session, one after the other, as far as it can be now. */
  private pump(id: string): void {
    const line = this.lines.get(id);
    if (!line || line.busy || this.closed) return;
    const [message] = line.waiting;
    const session = this.loop.sessionIndex.get(id);
    if (!message || !session) {
      if (!message) this.lines.delete(id);
      return;
    }
    if (session.state !== 'ended' && !canTake(session, message, this.turns.has(id))) return;
    line.busy = true;
    void this.promptWriter
      .deliver(session, message)
      .catch(error => {
        // A daemon on its way out leaves it to the next one.
        if (this.closed) return;
        this.onError(`message ${message.id} could not be delivered`, error);
        this.receipts.end(message, 'unknown', 'Something went wrong inside Drover; the daemon log has it.');
      })
      .finally(() => {
        line.waiting = line.waiting.filter(other => other !== message);
        line.busy = false;
        this.pump(id);
      })
      .catch(error => this.onError('messages could not be delivered', error));
  }

  onCommit({ event, payload, changed }: Commit): void {
    this.turns.hear(event, payload);
    if (event.source === 'hook' && event.name === 'UserPromptSubmit' && event.sessionId)
      this.hearPrompt(event.sessionId, event, payload);
    for (const { after } of changed) {
      this.turns.judge(after);
      if (after.state === 'ended') this.promptWriter.forget(after.id);
      if (after.next) this.passOn(after.id, after.next);
      this.pump(after.id);
    }
  }

  private hearPrompt(id: string, event: Event, hook: Hook | null): void {
    if (this.turns.hearPrompt(id, event, hook)) return;
    const message = this.lines.get(id)?.waiting[0];
    if (!message || message.typingSeq === null || message.submittedAt !== null) return;
    if (event.seq > message.typingSeq && isPromptOf(hook, message)) this.turns.submit(message, event.at);
  }

  /** After `/clear` what still waits is for the conversation that follows. */
  private passOn(id: string, next: string): void {
    const line = this.lines.get(id);
    const moved = line?.waiting.filter(({ typingSeq }) => typingSeq === null) ?? [];
    if (!line || moved.length === 0) return;
    line.waiting = line.waiting.filter(message => !moved.includes(message));
    for (const message of moved) {
      message.sessionId = next;
      void this.receipts.note(message, 'MessageMoved', {});
      this.line(message).waiting.push(message);
    }
    this.pump(next);
  }

  /** A message that was being typed when the daemon went. */
  private async clearUp(message: Message): Promise<void> {
    const line = this.line(message);
    line.waiting.unshift(message);
    line.busy = true;
    message.status = 'typed';
    try {
      if (await this.promptWriter.clearUp(message)) {
        message.status = 'queued';
        message.typingSeq = null;
        message.typedAt = null;
        void this.receipts.note(message, 'MessageRequeued', {});
        return;
      }
      line.waiting = line.waiting.filter(other => other !== message);
    } catch (error) {
      this.onError(`message ${message.id} could not be cleared up`, error);
    } finally {
      line.busy = false;
      this.pump(message.sessionId);
    }
  }
}

/** At its prompt, or told to be typed into while it works. What was sent before is answered first. */
const canTake = (session: Folded, { force }: Message, running: boolean): boolean => {
  const { state } = session;
  if (openDialog(session)) return false;
  if (state === 'working') return force;
  return !running && isUp(session);
};
