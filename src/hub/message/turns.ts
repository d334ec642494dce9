/** The turns that messages began: which end belongs to which message, and how the turn ended. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, elapsed } from '../../clock.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Receipt } from '../../contract/hub.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import {
  type BegunMessage,
  isBegun,
  type Outcome,
  startOf,
  type TurnStart,
} from '../../session/message/message.ts';
import type { Store } from '../../store/store.ts';
import { openDialog } from '../open-dialog.ts';
import { type End, TurnEnds } from '../../driver/turn/turn-ends.ts';
import { loggedHooks } from './logged-events.ts';
import { MessageSet } from './message-set.ts';
import type { Receipts } from './receipts.ts';
import { answerOf, isPromptOf, outcomeOf, acceptedAt } from './turn.ts';
import { answerIn, type TurnSpan, usageOf } from '../../driver/turn/turn-usage.ts';

export class Turns {
  /** Submitted to a session that was at its prompt: the running turn is theirs. */
  private readonly running = new MessageSet();
  /** Typed while the session worked: it is not known yet which turn includes them. */
  private readonly carried = new MessageSet();
  private readonly polled = new Set<string>();
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
  has(sessionId: string): boolean {
    return this.running.has(sessionId) || this.carried.has(sessionId);
  }

  /** The text of ours that a session works on; null for a turn that is not ours. */
  textOf(sessionId: string): string | null {
    const id = this.running.of(sessionId).at(-1);
    return (id === undefined ? undefined : this.begun(id)?.text) ?? null;
  }

  /** Follows the ends of turns from here on: a message is about to be typed. */
  followEnds({ sessionId, typingSeq }: BegunMessage): void {
    this.ends.follow(sessionId, () => loggedHooks(this.store.log, sessionId, typingSeq));
  }

  /** Adds a message that has been typed: its turn runs, or another turn carries it. */
  add(message: BegunMessage): void {
    const { id, sessionId, carried } = message;
    this.followEnds(message);
    (carried ? this.carried : this.running).add(id, sessionId);
    const session = this.loop.sessionIndex.get(sessionId);
    if (session) this.finishEnded(session);
  }

  /** Claude Code has taken the prompt: at this time, and by this event where a hook reported it. */
  submit({ id, sessionId, carried }: BegunMessage, submittedAt: number, prompt?: number): void {
    const reported = prompt === undefined ? {} : { prompt };
    void this.receipts.record(id, 'MessageSubmitted', { submittedAt, ...reported });
    if (this.receipts.state(id)?.phase === 'submitted' && !carried) this.running.add(id, sessionId);
  }

  onEvent(event: Event, hook: Hook | null): void {
    this.ends.onEvent({ event, payload: hook });
  }

  /** A prompt of this session was submitted. Returns true when it is one that another turn carries. */
  onPrompt(sessionId: string, event: Event, hook: Hook | null): boolean {
    const message = this.carried
      .of(sessionId)
      .flatMap(id => this.begun(id) ?? [])
      .find(one => one.phase !== 'submitted' && event.seq > one.typingSeq && isPromptOf(hook, one.text));
    if (message) this.submit(message, event.at, event.seq);
    return message !== undefined;
  }

  /** Finishes the messages whose turns are over. */
  finishEnded(session: Folded): void {
    for (const id of this.running.of(session.id)) {
      const message = this.begun(id);
      const start = message && (startOf(message) ?? { seq: message.typingSeq, at: null });
      const outcome = start ? this.outcomeOf(session, start) : null;
      if (start && outcome === null) continue;
      this.running.delete(id);
      if (message && start && outcome !== null) this.finish(message, outcome, session, start);
    }
    if (session.state === 'ended' && !this.has(session.id)) this.ends.forget(session.id);
    // This may be the end of the turn that includes a carried message. The transcript shows that shortly afterwards.
    for (const id of this.carried.of(session.id)) {
      const message = this.begun(id);
      if (!message) this.carried.delete(id);
      else if (isOver(session, message)) this.pollCarried(message);
    }
  }

  private pollCarried(message: BegunMessage): void {
    if (this.polled.has(message.id)) return;
    this.polled.add(message.id);
    this.finishCarried(message)
      .finally(() => this.polled.delete(message.id))
      .catch(this.reportError);
  }

  private async finishCarried(message: BegunMessage): Promise<void> {
    const { id, sessionId } = message;
    const deadline = elapsed(this.clock) + limits.message.acceptedTimeout;
    while (this.carried.includes(id) && !this.closed) {
      const session = this.loop.sessionIndex.get(sessionId);
      // Another turn has begun. Its end is checked separately.
      if (!session || !isOver(session, message)) return;
      const began = acceptedAt(session.transcript, message);
      const start = { seq: message.typingSeq, at: began };
      const outcome = began === null ? null : this.outcomeOf(session, start);
      if (began !== null && outcome !== null) {
        this.carried.delete(id);
        this.submit(message, began);
        this.finish(message, outcome, session, start);
        return;
      }
      if (session.state === 'ended' || elapsed(this.clock) > deadline) {
        this.carried.delete(id);
        void this.receipts.record(id, 'MessageUnknown', { reason: notAccepted });
        return;
      }
      await pause(limits.prompt.poll);
    }
  }

  private begun(id: string): BegunMessage | undefined {
    const state = this.receipts.state(id);
    return state && isBegun(state) ? state : undefined;
  }

  /** How the turn ended; null while it continues. A turn that was followed by another one has ended, whatever the state is now. */
  private outcomeOf(session: Folded, start: TurnStart): Receipt['outcome'] {
    const end = this.ends.after(session.id, start);
    return end?.closed ? end.kind : outcomeOf(session, start);
  }

  /** Logs how the turn ended. The transcript with the tokens of an answer is written a moment after the end of the turn. */
  private finish({ id }: BegunMessage, outcome: Outcome, session: Folded, start: TurnStart): void {
    const end = this.ends.after(session.id, start);
    if (outcome !== 'stopped') {
      const failure = end ? end.text : answerOf(session);
      const answer = outcome === 'failed' ? failure : null;
      void this.receipts.record(id, 'MessageUnanswered', { outcome, answer });
      return;
    }
    const to = ((end ?? session.memory.end?.evidence)?.at ?? this.clock.now()) + limits.prompt.poll;
    const state = this.receipts.state(id);
    const from = state && 'submittedAt' in state ? (state.submittedAt ?? 0) : 0;
    this.logAnswer(id, end, session, { from, to }).catch(this.reportError);
  }

  private async logAnswer(
    id: string,
    end: End | undefined,
    session: Folded,
    span: Pick<TurnSpan, 'from' | 'to'>,
  ): Promise<void> {
    const lastMessage = end?.text ?? null;
    const { answer, usage } = await this.readTurn(lastMessage, session.transcript, span).catch(
      (error: unknown) => {
        this.reportError(error);
        return { answer: lastMessage, usage: null };
      },
    );
    // A daemon that is stopping leaves it to the next one.
    if (this.closed) return;
    // The fold keeps only the beginning of a long answer.
    const fullAnswer = answer ?? (end ? null : answerOf(session));
    await this.receipts.record(id, 'MessageAnswered', { answer: fullAnswer, usage });
  }

  /** Reads the tokens, and the answer where no hook carried it. */
  private async readTurn(
    given: string | null,
    transcript: string | null,
    span: Pick<TurnSpan, 'from' | 'to'>,
  ): Promise<{ answer: string | null; usage: Receipt['usage'] }> {
    const deadline = elapsed(this.clock) + limits.message.usageTimeout;
    for (;;) {
      const answer = given ?? answerIn(transcript, span);
      const found = usageOf(transcript, { ...span, answer });
      const isWhole = found?.last && answer !== null;
      if (isWhole || this.closed || elapsed(this.clock) > deadline)
        return { answer, usage: found?.usage ?? null };
      await pause(limits.message.usagePoll);
    }
  }

  private readonly reportError = (error: unknown): void => this.onError('Could not follow a turn', error);
}

/** Whether a turn has ended since this message was sent. */
const isOver = (session: Folded, { typingSeq }: BegunMessage): boolean =>
  openDialog(session) === null && outcomeOf(session, { seq: typingSeq, at: null }) !== null;

const notAccepted = 'It was typed while the session worked, and nothing shows that Claude Code accepted it.';
