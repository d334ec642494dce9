/**
 * Messages into sessions, with receipts. One at a time for each session, in order. A message that is being typed is marked
 * in the store first, so that after a crash it is never typed a second time: the log and the screen tell what became of it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import { DroverError } from '../contract/error.ts';
import type { Event } from '../contract/event.ts';
import type { Receipt, SendMessage } from '../contract/hub.ts';
import { limits } from '../limits.ts';
import type { Commit, Loop } from '../live/loop.ts';
import type { Folded } from '../session/memory.ts';
import type { Message } from '../store/receipt-table.ts';
import type { Store } from '../store/store.ts';
import { enterCommand, pressEnter, promptOf, type Target, typeText } from '../tmux/type.ts';
import { showsText } from '../claude/prompt-line.ts';
import { type Drive, mayDrive, openDialog, targetOf } from './drive.ts';
import type { Receipts } from './receipts.ts';
import { answerOf, isPromptOf, outcomeOf, promptOfMessage } from './turn.ts';
import { usageOf } from './usage.ts';

export class Messages {
  /** What waits for each session, and whether somebody is at it. */
  private readonly lines = new Map<string, { waiting: Message[]; busy: boolean }>();
  /** Submitted and not answered yet, by session. */
  private readonly running = new Map<string, Message[]>();
  /** Typed while the session worked: the CLI keeps it in a queue of its own and tells when it takes it up. */
  private readonly taken = new Map<string, Message[]>();
  private closed = false;

  constructor(
    private readonly loop: Loop,
    private readonly store: Store,
    private readonly receipts: Receipts,
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
      else if (message.status === 'submitted') this.runs(message);
      else void this.clearUp(message);
    }
    for (const id of this.running.keys()) {
      const session = this.loop.roll.get(id);
      if (session) this.judge(session);
    }
    for (const id of this.lines.keys()) this.pump(id);
  }

  close(): void {
    this.closed = true;
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
    this.receipts.note(message, 'MessageQueued', { text: wish.text });
    this.line(message).waiting.push(message);
    this.pump(session.id);
    return message;
  }

  /** What becomes of a message at once: one that waits for its turn is `queued`, any other is typed or refused. */
  firstWord({ id, sessionId }: Pick<Message, 'id' | 'sessionId'>): Promise<Receipt> {
    const line = this.lines.get(sessionId);
    const now = line?.busy && line.waiting[0]?.id === id;
    return this.receipts.until(id, 'typed', now ? limits.messageSeen : 0);
  }

  /** Takes a message back that nobody has begun to type. */
  withdraw(message: Message): void {
    const line = this.lines.get(message.sessionId);
    if (message.typingSeq !== null || message.text === null || !line?.waiting.includes(message)) return;
    line.waiting = line.waiting.filter(other => other !== message);
    this.receipts.end(message, 'refused', 'It was withdrawn.');
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
        this.receipts.end(message, 'unknown', 'Something went wrong inside Drover; the daemon log has it.');
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
      this.receipts.end(message, 'refused', (error as Error).message);
      return;
    }
    const target = targetOf(session);
    // Marked before the first key: after a crash it is not typed again.
    message.typingSeq = this.store.log.last();
    this.receipts.save(message);
    const text = message.text ?? '';
    const typed = await this.typeWhenShown(session.id, target, text, message.as === 'command');
    if (typed !== 'typed') {
      this.receipts.end(message, typed === 'unseen' ? 'unknown' : 'refused', refusals[typed]);
      return;
    }
    message.status = 'typed';
    message.typedAt = this.clock.now();
    this.receipts.note(message, 'MessageTyped');
    await this.enter(target, message, text);
  }

  /** Enter, until Claude Code says that it has the prompt. */
  private async enter(target: Target, message: Message, text: string): Promise<void> {
    if (message.as === 'command') {
      // A slash command fires no UserPromptSubmit: it is taken when it has left the line.
      const left = await enterCommand(target, text, limits.messageSeen);
      // One of the user's own fires UserPromptSubmit all the same.
      if (left && message.submittedAt === null) this.submit(message, this.clock.now());
    } else {
      const submitted = () => message.status !== 'typed';
      await pressEnter(target, text, submitted, limits.messageSubmitted);
      const line = submitted() || !message.force ? null : await promptOf(target);
      if (line && !showsText(line, text)) {
        this.taken.set(message.sessionId, [...(this.taken.get(message.sessionId) ?? []), message]);
        return;
      }
    }
    if (message.submittedAt === null)
      this.receipts.end(
        message,
        'unknown',
        'It was typed and Enter was pressed; nothing shows that it was taken.',
      );
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
      this.judge(after);
      if (after.state === 'ended') this.loseTaken(after.id);
      if (after.next) this.passOn(after.id, after.next);
      this.pump(after.id);
    }
  }

  private hearPrompt(id: string, event: Event): void {
    const taken = this.taken.get(id) ?? [];
    const message = [...taken, ...(this.lines.get(id)?.waiting.slice(0, 1) ?? [])].find(
      ({ typingSeq, submittedAt }) => typingSeq !== null && submittedAt === null && event.seq > typingSeq,
    );
    if (!message || !isPromptOf(event, message)) return;
    if (taken.includes(message))
      this.taken.set(
        id,
        taken.filter(other => other !== message),
      );
    this.submit(message, event.at);
  }

  private loseTaken(id: string): void {
    for (const message of this.taken.get(id) ?? [])
      this.receipts.end(
        message,
        'unknown',
        'It was typed while the session worked, and the session ended before it was taken up.',
      );
    this.taken.delete(id);
  }

  /** After `/clear` what still waits is for the conversation that follows. */
  private passOn(id: string, next: string): void {
    const line = this.lines.get(id);
    const moved = line?.waiting.filter(({ typingSeq }) => typingSeq === null) ?? [];
    if (!line || moved.length === 0) return;
    line.waiting = line.waiting.filter(message => !moved.includes(message));
    for (const message of moved) {
      message.sessionId = next;
      this.receipts.save(message);
      this.line(message).waiting.push(message);
    }
    this.pump(next);
  }

  private submit(message: Message, at: number): void {
    message.status = 'submitted';
    message.submittedAt = at;
    message.typedAt ??= at;
    this.receipts.note(message, 'MessageSubmitted');
    if (message.as === 'command') this.receipts.end(message, 'submitted', null);
    else this.runs(message);
  }

  private runs(message: Message): void {
    const { sessionId } = message;
    this.running.set(sessionId, [...(this.running.get(sessionId) ?? []), message]);
  }

  /** Whether the turns of submitted messages are over, and how. */
  private judge(session: Folded): void {
    const running = this.running.get(session.id) ?? [];
    for (const message of running) {
      const outcome = outcomeOf(session, message.submittedAt ?? 0);
      if (outcome === null) continue;
      const left = (this.running.get(session.id) ?? []).filter(other => other !== message);
      if (left.length) this.running.set(session.id, left);
      else this.running.delete(session.id);
      message.outcome = outcome;
      if (outcome === 'stopped' || outcome === 'failed') {
        message.answer = answerOf(this.store.log, session);
        message.usage = usageOf(session.transcript);
      }
      message.answeredAt = this.clock.now();
      this.receipts.end(message, outcome === 'stopped' ? 'answered' : 'submitted', null);
    }
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
        this.receipts.save(message);
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
      const found = promptOfMessage(this.store.log, message);
      if (found) {
        this.submit(message, found.at);
        this.judge(session);
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
    this.receipts.end(
      message,
      'unknown',
      'The daemon went while it was being typed, and nothing shows what became of it.',
    );
    return false;
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
