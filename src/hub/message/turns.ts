/** The turns that messages began: who waits for the end of which, and what came of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Receipt } from '../../contract/hub.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import type { Outcome } from '../../session/message.ts';
import type { Message } from '../../store/receipt-table.ts';
import type { Store } from '../../store/store.ts';
import { openDialog } from '../open-dialog.ts';
import { TurnEnds } from '../../driver/turn/turn-ends.ts';
import { loggedHooks } from './logged-hooks.ts';
import type { Receipts } from './receipts.ts';
import { answerOf, isPromptOf, outcomeOf, takenUpAt } from './turn.ts';
import { answerIn, type TurnSpan, usageOf } from '../../driver/turn/turn-usage.ts';

export class Turns {
  /** Submitted to a session that was at its prompt: the turn that runs is theirs. */
  private readonly running = new Map<string, Message[]>();
  /** Typed while the session worked, and in no turn yet that is known to be theirs. */
  private readonly carried = new Map<string, Message[]>();
  private readonly looking = new Set<Message>();
  private readonly ends = new TurnEnds();
  private closed = false;

  constructor(
    private readonly loop: Loop,
    private readonly store: Store,
    private readonly receipts: Receipts,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  close(): void {
    this.closed = true;
  }

  /** Whether a message of ours is not answered yet. */
  has(id: string): boolean {
    return this.running.has(id) || this.carried.has(id);
  }

  /** The text of ours that a session works on; null where it is none of ours. */
  textOf(id: string): string | null {
    return this.running.get(id)?.at(-1)?.text ?? null;
  }

  /** A message is about to be typed: from now on the ends of turns count. */
  expect({ sessionId, typingSeq }: Message): void {
    const { log } = this.store;
    this.ends.follow(sessionId, () => loggedHooks(log, sessionId, typingSeq ?? log.last()));
  }

  /** A message that has been typed: its turn runs, or it is carried by the one of another. */
  add(message: Message): void {
    this.expect(message);
    put(message.carried ? this.carried : this.running, message);
    const session = this.loop.sessionIndex.get(message.sessionId);
    if (session) this.judge(session);
  }

  /** Claude Code has said that it has the prompt. */
  submit(message: Message, at: number): void {
    message.status = 'submitted';
    message.submittedAt = at;
    message.typedAt ??= at;
    if (message.as === 'command') message.text = null;
    void this.receipts.note(message, 'MessageSubmitted', { submittedAt: at });
    if (message.as !== 'command' && !message.carried) put(this.running, message);
  }

  hear(event: Event, hook: Hook | null): void {
    this.ends.onEvent({ event, payload: hook });
  }

  /** A prompt of this session was submitted; true when it was one that is carried. */
  hearPrompt(id: string, event: Event, hook: Hook | null): boolean {
    const message = this.carried
      .get(id)
      ?.find(one => one.submittedAt === null && event.seq > (one.typingSeq ?? 0) && isPromptOf(hook, one));
    if (message) this.submit(message, event.at);
    return message !== undefined;
  }

  /** Whether the turns of messages are over, and how. */
  judge(session: Folded): void {
    for (const message of this.running.get(session.id) ?? []) {
      const began = message.submittedAt ?? 0;
      const outcome = this.outcomeOf(session, began);
      if (outcome === null) continue;
      take(this.running, message);
      this.finish(message, outcome, session, began);
    }
    if (session.state === 'ended' && !this.has(session.id)) this.ends.forget(session.id);
    // Any end may be that of the turn which took a carried one up: the transcript, which is a little late, knows.
    for (const message of this.carried.get(session.id) ?? [])
      if (isOver(session, message) && !this.looking.has(message)) {
        this.looking.add(message);
        this.judgeCarried(message, session)
          .finally(() => this.looking.delete(message))
          .catch(this.failed);
      }
  }

  private async judgeCarried(message: Message, { id }: Folded): Promise<void> {
    const deadline = this.clock.now() + limits.message.acceptedTimeout;
    while (this.isCarried(message) && !this.closed) {
      const session = this.loop.sessionIndex.get(id);
      // It works again: the next end is looked at by itself.
      if (!session || !isOver(session, message)) return;
      const began = takenUpAt(session.transcript, message);
      const outcome = began === null ? null : this.outcomeOf(session, began);
      if (began !== null && outcome !== null) {
        take(this.carried, message);
        if (message.submittedAt === null) this.submit(message, began);
        this.finish(message, outcome, session, began);
        return;
      }
      if (session.state === 'ended' || this.clock.now() > deadline) {
        take(this.carried, message);
        this.receipts.end(message, 'unknown', untaken);
        return;
      }
      await pause(limits.prompt.poll);
    }
  }

  /** A turn that another one followed is over, whatever the session does now. */
  private outcomeOf(session: Folded, began: number): Receipt['outcome'] {
    const end = this.ends.after(session.id, began);
    return end?.closed ? end.kind : outcomeOf(session, began);
  }

  private isCarried(message: Message): boolean {
    return this.carried.get(message.sessionId)?.includes(message) ?? false;
  }

  /** The answer is there at once, its tokens a moment later: the transcript is written behind the end of the turn. */
  private finish(message: Message, outcome: Outcome, session: Folded, began: number): void {
    message.outcome = outcome;
    const end = this.ends.after(session.id, began);
    if (outcome === 'failed') message.answer = end ? end.text : answerOf(session);
    if (outcome === 'stopped') message.answer = end?.text ?? null;
    const answered = () => {
      // A daemon on its way out leaves it to the next one.
      if (this.closed) return;
      // Cut short, but better than nothing.
      if (outcome === 'stopped' && !end) message.answer ??= answerOf(session);
      message.answeredAt = this.clock.now();
      message.text = null;
      const { answer, usage } = message;
      if (outcome !== 'stopped')
        void this.receipts.note(message, 'MessageUnanswered', { outcome, answer }, message.answeredAt);
      else {
        message.status = 'answered';
        void this.receipts.note(message, 'MessageAnswered', { answer, usage }, message.answeredAt);
      }
    };
    const to = ((end ?? session.memory.end?.evidence)?.at ?? this.clock.now()) + limits.prompt.poll;
    if (outcome !== 'stopped') answered();
    else
      this.readTurn(message, session.transcript, { from: began, to })
        .catch(this.failed)
        .then(answered)
        .catch(this.failed);
  }

  /** The tokens, and the answer where no hook told it. */
  private async readTurn(
    message: Message,
    transcript: string | null,
    span: Pick<TurnSpan, 'from' | 'to'>,
  ): Promise<void> {
    const deadline = this.clock.now() + limits.message.usageTimeout;
    for (;;) {
      message.answer ??= answerIn(transcript, span);
      const found = usageOf(transcript, { ...span, answer: message.answer });
      message.usage = found?.usage ?? null;
      const whole = found?.last && message.answer !== null;
      if (whole || this.closed || this.clock.now() > deadline) return;
      await pause(limits.message.usagePoll);
    }
  }

  private readonly failed = (error: unknown): void => this.onError('a turn could not be looked at', error);
}

/** Whether a turn has ended since this message was sent. */
const isOver = (session: Folded, { queuedAt }: Message): boolean =>
  openDialog(session) === null && outcomeOf(session, queuedAt) !== null;

const untaken = 'It was typed while the session worked, and nothing shows that it was taken up.';

const put = (map: Map<string, Message[]>, message: Message): void => {
  map.set(message.sessionId, [...(map.get(message.sessionId) ?? []), message]);
};

const take = (map: Map<string, Message[]>, message: Message): void => {
  const left = (map.get(message.sessionId) ?? []).filter(other => other !== message);
  if (left.length > 0) map.set(message.sessionId, left);
  else map.delete(message.sessionId);
};
