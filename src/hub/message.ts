/**
 * Messages into sessions, with receipts. One at a time for each session, in order. A message that is being typed is marked
 * in the store first, so that after a crash it is never typed a second time: the log and the screen tell what became of it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { DroverError } from '../contract/error.ts';
import type { Event } from '../contract/event.ts';
import type { MessageWait, Receipt, SendMessage } from '../contract/hub.ts';
import { parseObject } from '../hook/payload.ts';
import { limits } from '../limits.ts';
import type { Commit, Loop } from '../live/loop.ts';
import type { Folded } from '../session/memory.ts';
import type { Message } from '../store/receipt-table.ts';
import type { Store } from '../store/store.ts';
import { enterCommand, pressEnter, promptOf, type Target, typeText } from '../tmux/type.ts';
import { showsText } from '../claude/prompt-line.ts';
import { type Drive, mayDrive, openDialog, targetOf } from './drive.ts';
import { hubDraft } from './event.ts';
import { usageOf } from './usage.ts';

export class Messages {
  /** What waits for each session, and whether somebody is at it. */
  private readonly lines = new Map<string, { waiting: Message[]; busy: boolean }>();
  /** Submitted and not answered yet, by session. */
  private readonly running = new Map<string, Message>();
  private readonly watchers = new Set<() => void>();
  private closed = false;

  constructor(
    private readonly loop: Loop,
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly drive: Drive,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    loop.listen(commit => this.hear(commit));
  }

  /** Takes up what an earlier daemon left. */
  start(): void {
    this.store.write(() => this.store.receipts.removeBefore(this.clock.now() - limits.receiptAge));
    for (const message of this.store.receipts.open()) {
      if (message.status === 'queued' && message.typingSeq === null) this.line(message).waiting.push(message);
      else if (message.status === 'submitted') this.running.set(message.sessionId, message);
      else void this.clearUp(message);
    }
    for (const [id, message] of this.running) {
      const session = this.loop.roll.get(id);
      if (session) this.judge(session, message);
    }
    for (const id of this.lines.keys()) this.pump(id);
  }

  close(): void {
    this.closed = true;
    this.tell();
  }

  /** Accepts a message, or throws why not. `key`: the same one again gives the same receipt. */
  send(session: Folded, wish: SendMessage, key: string | null): Message {
    const digest = createHash('sha256')
      .update(JSON.stringify([wish.text, wish.as]))
      .digest('hex');
    const before = key === null ? null : this.store.receipts.byKey(session.id, key);
    if (before) {
      if (before.digest !== digest)
        throw new DroverError('refused', 'This Idempotency-Key was used for another message.');
      return before;
    }
    this.mayTake(session, wish);
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
      text: wish.text,
      as: wish.as,
      force: wish.force,
      key,
      digest,
      typingSeq: null,
    };
    this.note(message, 'MessageQueued', { text: wish.text });
    this.line(message).waiting.push(message);
    this.pump(session.id);
    return message;
  }

  /** Waits until a message has come so far, or can come no further, or the time is over. */
  async until(id: string, wait: MessageWait, seconds: number): Promise<Receipt> {
    const deadline = this.clock.now() + seconds * 1_000;
    for (;;) {
      const message = this.store.receipts.read(id);
      if (!message) throw new DroverError('failed', 'The message was forgotten.');
      const left = deadline - this.clock.now();
      if (hasReached(message, wait) || left <= 0 || this.closed) return receiptOf(message);
      await this.change(left);
    }
  }

  read(id: string): Receipt | null {
    const message = this.store.receipts.read(id);
    return message && receiptOf(message);
  }

  ofSession(id: string, most: number): Receipt[] {
    return this.store.receipts.ofSession(id, most).map(receiptOf);
  }

  private mayTake(session: Folded, wish: SendMessage): void {
    mayDrive(session, this.drive);
    targetOf(session);
    if (Buffer.byteLength(wish.text) > limits.messageBytes)
      throw new DroverError('too_large', `A message may have ${limits.messageBytes} bytes.`);
    if (wish.as === 'command' && !/^\/\S[^\n]*$/.test(wish.text))
      throw new DroverError('bad_request', 'A command begins with / and has one line.');
    const dialog = openDialog(session);
    if (dialog)
      throw new DroverError(
        'refused',
        `A dialog is open (${dialog}): what is typed would answer it.`,
        'Answer it first: POST /sessions/:id/answer or in the terminal.',
      );
    if ((this.lines.get(session.id)?.waiting.length ?? 0) >= limits.messagesQueued)
      throw new DroverError('refused', `${limits.messagesQueued} messages wait for this session already.`);
  }

  private line({ sessionId }: Message): { waiting: Message[]; busy: boolean } {
    const line = this.lines.get(sessionId) ?? { waiting: [], busy: false };
    this.lines.set(sessionId, line);
    return line;
  }

  /** Delivers what waits for a session, one after the other, as far as it can be now. */
  private pump(id: string): void {
    const line = this.lines.get(id);
    if (!line || line.busy || this.closed) return;
    const [message] = line.waiting;
    const session = this.loop.roll.get(id);
    if (!message || !session) {
      if (!message) this.lines.delete(id);
      return;
    }
    if (session.state !== 'ended' && !canTake(session, message, this.running.has(id))) return;
    line.busy = true;
    void this.deliver(session, message)
      .catch(error => {
        this.onError(`message ${message.id} could not be delivered`, error);
        this.end(message, 'unknown', 'Something went wrong inside Drover; the daemon log has it.');
      })
      .finally(() => {
        line.waiting = line.waiting.filter(other => other !== message);
        line.busy = false;
        this.pump(id);
      });
  }

  private async deliver(session: Folded, message: Message): Promise<void> {
    try {
      mayDrive(session, this.drive);
    } catch (error) {
      this.end(message, 'refused', (error as Error).message);
      return;
    }
    const target = targetOf(session);
    // Marked before the first key: after a crash it is not typed again.
    message.typingSeq = this.store.log.last();
    this.save(message);
    const text = message.text ?? '';
    const typed = await this.typeWhenShown(session.id, target, text, message.as === 'command');
    if (typed !== 'typed') {
      this.end(message, typed === 'unseen' ? 'unknown' : 'refused', refusals[typed]);
      return;
    }
    message.status = 'typed';
    message.typedAt = this.clock.now();
    this.note(message, 'MessageTyped');
    await this.enter(target, message, text);
  }

  /** Enter, until Claude Code says that it has the prompt. */
  private async enter(target: Target, message: Message, text: string): Promise<void> {
    if (message.as === 'command') {
      // A slash command fires no UserPromptSubmit: it is taken when it has left the line.
      if (await enterCommand(target, text, limits.messageSeen)) this.submit(message, this.clock.now());
    } else {
      const submitted = () => message.status !== 'typed';
      await pressEnter(target, text, submitted, limits.messageSubmitted);
    }
    if (message.submittedAt === null)
      this.end(message, 'unknown', 'It was typed and Enter was pressed; nothing shows that it was taken.');
  }

  /** Types into the prompt line once there is one: a start or a repaint has none for a moment. */
  private async typeWhenShown(
    id: string,
    target: Target,
    text: string,
    asCommand: boolean,
  ): ReturnType<typeof typeText> {
    const deadline = this.clock.now() + limits.promptAppears;
    for (;;) {
      const typed = await typeText(target, text, limits.messageSeen, asCommand);
      const session = this.loop.roll.get(id);
      const hopeless = !session || session.state === 'ended' || openDialog(session) !== null;
      if (typed !== 'no prompt' || hopeless || this.closed || this.clock.now() > deadline) return typed;
      await pause(limits.promptLook);
    }
  }

  private hear({ event, changed }: Commit): void {
    if (event.source === 'hook' && event.name === 'UserPromptSubmit' && event.sessionId)
      this.hearPrompt(event.sessionId, event);
    for (const { after } of changed) {
      const message = this.running.get(after.id);
      if (message) this.judge(after, message);
      if (after.next) this.passOn(after.id, after.next);
      this.pump(after.id);
    }
  }

  private hearPrompt(id: string, event: Event): void {
    const message = this.lines.get(id)?.waiting[0];
    if (!message || message.typingSeq === null || message.submittedAt !== null) return;
    if (event.seq > message.typingSeq && isPromptOf(event, message)) this.submit(message, event.at);
  }

  /** After `/clear` what still waits is for the conversation that follows. */
  private passOn(id: string, next: string): void {
    const line = this.lines.get(id);
    const moved = line?.waiting.filter(({ typingSeq }) => typingSeq === null) ?? [];
    if (!line || moved.length === 0) return;
    line.waiting = line.waiting.filter(message => !moved.includes(message));
    for (const message of moved) {
      message.sessionId = next;
      this.save(message);
      this.line(message).waiting.push(message);
    }
    this.pump(next);
  }

  private submit(message: Message, at: number): void {
    message.status = 'submitted';
    message.submittedAt = at;
    message.typedAt ??= at;
    this.note(message, 'MessageSubmitted');
    if (message.as === 'command') this.end(message, 'submitted', null);
    else this.running.set(message.sessionId, message);
  }

  /** Whether the turn of a submitted message is over, and how. */
  private judge(session: Folded, message: Message): void {
    const { end } = session.memory;
    const over = end !== null && end.evidence.at >= (message.submittedAt ?? 0);
    if (session.state === 'ended') message.outcome = 'ended';
    else if (session.state === 'waiting' && session.reason === 'interrupted') message.outcome = 'interrupted';
    else if (session.state === 'waiting' && session.reason === 'failed' && over) message.outcome = 'failed';
    else if (over && (session.state === 'waiting' || session.state === 'background'))
      message.outcome = 'stopped';
    else return;
    this.running.delete(session.id);
    if (message.outcome === 'stopped' || message.outcome === 'failed') {
      message.answer = end?.detail?.text ?? null;
      message.usage = usageOf(session.transcript);
    }
    message.answeredAt = this.clock.now();
    this.end(message, message.outcome === 'stopped' ? 'answered' : 'submitted', null);
  }

  /**
   * A message that was being typed when the daemon went: the log and the screen say what became of it. Submitted, it is in
   * the log; pasted, it stands in the prompt line; and where that line is empty it was never typed.
   */
  private async clearUp(message: Message): Promise<void> {
    const line = this.line(message);
    line.waiting.unshift(message);
    line.busy = true;
    message.status = 'typed';
    try {
      if (await this.findOut(message)) {
        message.status = 'queued';
        message.typingSeq = null;
        this.save(message);
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

  /** True when it was certainly not typed, and may be. */
  private async findOut(message: Message): Promise<boolean> {
    const text = message.text ?? '';
    const deadline = this.clock.now() + limits.clearUp;
    for (let empty = 0; this.clock.now() < deadline; await pause(limits.promptLook)) {
      const session = this.loop.roll.get(message.sessionId);
      if (!session || session.state === 'ended' || !session.pane || this.closed) break;
      const found = this.promptAfter(message);
      if (found) {
        this.submit(message, found.at);
        this.judge(session, message);
        return false;
      }
      const prompt = await promptOf(targetOf(session));
      if (prompt && showsText(prompt, text)) {
        await this.enter(targetOf(session), message, text);
        return false;
      }
      const idle = prompt?.draft === '' && session.state !== 'working' && session.hooks === 'live';
      empty = idle ? empty + 1 : 0;
      if (empty * limits.promptLook >= limits.neverTyped) return true;
    }
    this.end(
      message,
      'unknown',
      'The daemon went while it was being typed, and nothing shows what became of it.',
    );
    return false;
  }

  private promptAfter(message: Message): Event | null {
    let after = message.typingSeq ?? 0;
    for (;;) {
      const events = this.store.log.read({
        after,
        sessionId: message.sessionId,
        rows: 500,
        bytes: 16_000_000,
      });
      const found = events.find(event => event.name === 'UserPromptSubmit' && isPromptOf(event, message));
      if (found || events.length === 0) return found ?? null;
      after = events.at(-1)?.seq ?? after;
    }
  }

  private end(message: Message, status: Message['status'], reason: string | null): void {
    message.status = status;
    message.reason = reason;
    message.text = null;
    this.note(message, `Message${status[0]?.toUpperCase()}${status.slice(1)}`, { reason });
  }

  /** Into the store at once, and into the log for whoever reads it later. */
  private note(message: Message, name: string, fields: object = {}): void {
    this.save(message);
    const draft = hubDraft(name, message.sessionId, this.clock.now(), { message: message.id, ...fields });
    this.loop.take([{ draft }]).catch(error => this.onError('a message could not be noted', error));
  }

  private save(message: Message): void {
    this.store.write(() => this.store.receipts.save(message));
    this.tell();
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

const refusals = {
  draft: "Somebody's draft stands in the prompt line; it was left as it is.",
  'no prompt': 'There is no prompt line to type into: a dialog is open, or another program runs there.',
  unseen: 'It was pasted and is not to be seen in the prompt line.',
} as const;

/** At its prompt, or told to be typed into while it works. What was sent before is answered first. */
const canTake = (session: Folded, { force }: Message, running: boolean): boolean => {
  const { state } = session;
  if (openDialog(session)) return false;
  if (state === 'working') return force;
  return !running && isUp(session);
};

/** Its CLI has told of itself: before that there is no prompt line. */
const isUp = ({ memory }: Folded): boolean => memory.hooked > 0 || memory.file !== null;

const isPromptOf = (event: Event, { text }: Message): boolean => {
  const prompt = parseObject(event.raw)?.prompt;
  // A long paste is unfolded again by the CLI; tabs become spaces. The words are the same.
  return typeof prompt === 'string' && (text === null || bare(prompt) === bare(text));
};

const bare = (text: string): string => text.replace(/\s+/g, '');

const hasReached = (message: Message, wait: MessageWait): boolean => {
  const { status, outcome, text } = message;
  if (status === 'refused' || status === 'unknown' || outcome !== null) return true;
  if (wait === 'typed') return status !== 'queued';
  if (wait === 'submitted') return status === 'submitted';
  return text === null;
};

/** What the caller sees of it. */
export const receiptOf = (message: Message): Receipt => {
  const { text, as, force, key, digest, typingSeq, ...receipt } = message;
  void [text, as, force, key, digest, typingSeq];
  return receipt;
};
