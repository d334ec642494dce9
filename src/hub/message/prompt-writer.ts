/**
 * One message into the prompt line of its session. It is marked in the store before the first key, so that after a crash it is
 * never typed a second time: the log and the screen tell what became of it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import type { Message } from '../../store/receipt-table.ts';
import type { Store } from '../../store/store.ts';
import type { Target } from '../../tmux/input/send.ts';
import { enterCommand, pressEnter, typeText } from '../../driver/input/prompt-input.ts';
import { whatBecame } from './recover.ts';
import type { DrivePolicy } from '../drive-policy.ts';
import { openDialog } from '../open-dialog.ts';
import { targetOf } from '../target.ts';
import { clearPutBack } from './put-back.ts';
import type { Receipts } from './receipts.ts';
import type { Turns } from './turns.ts';

export class PromptWriter {
  /** What was typed into each session last: its end, a screen shows no more. */
  private readonly last = new Map<string, string>();
  /** What an interrupt of ours may have put back into the line of a session, and nothing was typed since. */
  private readonly interrupted = new Map<string, string>();
  private closed = false;

  constructor(
    private readonly loop: Loop,
    private readonly store: Store,
    private readonly receipts: Receipts,
    private readonly turns: Turns,
    private readonly clock: Clock,
    private readonly drive: DrivePolicy,
  ) {}

  /** Begins nothing more; what is under way is left to the next daemon. */
  close(): void {
    this.closed = true;
  }

  /** A session that has ended is not typed into again. */
  forget(id: string): void {
    this.last.delete(id);
    this.interrupted.delete(id);
  }

  /** A turn that this text of ours began was interrupted by us: what stands of it in the prompt line is cleared. */
  async takeBack(session: Folded, text: string): Promise<void> {
    this.interrupted.set(session.id, text);
    await clearPutBack(targetOf(session), text);
  }

  /** Types it and presses Enter; the receipt has what came of it. */
  async deliver(
    session: Folded,
    message: Message,
    tries: number = limits.message.pasteAttempts,
  ): Promise<void> {
    let target: Target;
    try {
      this.drive.assertMayDrive(session);
      target = targetOf(session);
    } catch (error) {
      this.receipts.end(message, 'refused', (error as Error).message);
      return;
    }
    // Marked before the first key: after a crash it is not typed again.
    message.typingSeq = this.store.log.last();
    message.carried = session.state === 'working' && message.as === 'text';
    this.receipts.saveNow(message);
    const { typingSeq: after, carried } = message;
    void this.receipts.note(message, 'MessageTyping', { after, carried });
    this.turns.expect(message);
    const text = message.text ?? '';
    const typed = await this.typeWhenShown(session.id, target, text, message.as === 'command').catch(
      (error: unknown) => whyRefused(error),
    );
    if (typeof typed === 'object') {
      this.receipts.end(message, 'refused', typed.refused);
      return;
    }
    // A daemon on its way out leaves it to the next one, which finds out.
    if (typed !== 'typed' && this.closed) return;
    // On a machine that is short of breath it comes yet, or the CLI has wiped it off with what was taken before.
    if (typed === 'unseen' && tries > 1) {
      void this.receipts.note(message, 'MessageUnseen', {});
      message.status = 'typed';
      const again = await this.clearUp(message, refusals.unseen, limits.message.pasteLost);
      if (!again) return;
      message.status = 'queued';
      message.typingSeq = null;
      void this.receipts.note(message, 'MessageRequeued', {});
      return this.deliver(session, message, tries - 1);
    }
    if (typed !== 'typed') {
      this.receipts.end(message, neverTyped(typed) ? 'refused' : 'unknown', refusals[typed]);
      return;
    }
    message.status = 'typed';
    message.typedAt = this.clock.now();
    this.last.set(session.id, text.slice(-limits.prompt.shown));
    this.interrupted.delete(session.id);
    // In the log before Enter: whoever reads it later knows that what is missing behind it was typed.
    await this.receipts.note(message, 'MessageTyped', {}, message.typedAt);
    await this.enter(target, message, text);
  }

  /**
   * Brings one to its end of which is not known what became of it: the daemon went while it was being typed, or it was not
   * seen. True when it certainly was not typed, and may be; `unknown` is what its receipt says when nobody can tell.
   */
  async clearUp(
    message: Message,
    unknown: string = refusals.left,
    patience: number = limits.message.neverTyped,
  ): Promise<boolean> {
    const { loop, clock } = this;
    const deps = { loop, clock, log: this.store.log, closed: () => this.closed };
    const found = await whatBecame(message, deps, patience);
    const session = loop.sessionIndex.get(message.sessionId);
    this.turns.expect(message);
    if (found.kind === 'submitted') {
      this.turns.submit(message, found.at);
      if (message.carried) this.turns.add(message);
      else if (session) this.turns.judge(session);
    }
    if (found.kind === 'in line' && session) await this.enter(targetOf(session), message, message.text ?? '');
    // A daemon that is on its way out leaves it to the next one.
    if (found.kind === 'unknown' && !this.closed) this.receipts.end(message, 'unknown', unknown);
    return found.kind === 'never typed';
  }

  /** Enter is not pressed where somebody else would read it. */
  private async enter(target: Target, message: Message, text: string): Promise<void> {
    const refused = await this.pressUntilTaken(target, message, text).catch(whyRefused);
    // As it exited it may have taken the text along.
    if (refused && message.submittedAt === null && !this.closed)
      this.receipts.end(message, 'unknown', `It was typed and Enter was not pressed. ${refused.refused}`);
  }

  /** Enter, until Claude Code says that it has the prompt. */
  private async pressUntilTaken(target: Target, message: Message, text: string): Promise<void> {
    if (message.as === 'command') {
      // A slash command fires no UserPromptSubmit: it is taken when it has left the line.
      const left = await enterCommand(target, text, limits.message.pasteTimeout);
      // One of the user's own fires UserPromptSubmit all the same.
      if (left && message.submittedAt === null) this.turns.submit(message, this.clock.now());
    } else {
      const submitted = () => this.closed || message.status !== 'typed';
      const taken = await pressEnter(target, text, submitted, limits.message.submitTimeout, message.carried);
      // What is typed while the session works leaves the line for a queue of the CLI's own.
      if (message.carried && taken && !this.closed) {
        this.turns.add(message);
        return;
      }
    }
    if (message.submittedAt === null && !this.closed)
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
    const deadline = this.clock.now() + limits.prompt.appears;
    for (let drafts = 0; ; await pause(limits.prompt.poll)) {
      const interrupted = this.interrupted.get(id);
      const last = interrupted ?? this.last.get(id);
      const typed = await typeText(target, text, limits.message.pasteTimeout, asCommand, last);
      const session = this.loop.sessionIndex.get(id);
      const hopeless = !session || session.state === 'ended' || openDialog(session) !== null;
      if (hopeless || this.closed || this.clock.now() > deadline) return typed;
      // It was put back later than it was looked for.
      if (typed === 'stale' && interrupted !== undefined) await clearPutBack(target, interrupted);
      // What an earlier daemon submitted last stands in the line a moment longer than Claude Code has it: a draft stays.
      if (typed === 'draft' && ++drafts * limits.prompt.poll < limits.prompt.draftStays) continue;
      if (typed !== 'no prompt' && typed !== 'stale') return typed;
    }
  }
}

/** What a refused key says; anything else is thrown on. */
const whyRefused = (error: unknown): { refused: string } => {
  if (error instanceof DroverError && error.code === 'refused') return { refused: error.message };
  throw error;
};

const refusals = {
  draft: "Somebody's draft stands in the prompt line; it was left as it is.",
  stale: 'What was sent before still stands in the prompt line; it was left as it is.',
  'no prompt': 'There is no prompt line to type into: a dialog is open, or another program runs there.',
  mixed: 'Somebody typed at the same moment: it stands in the prompt line beside their words, not submitted.',
  unseen: 'It was pasted and is not to be seen in the prompt line.',
  left: 'The daemon went while it was being typed, and nothing shows what became of it.',
} as const;

const neverTyped = (typed: keyof typeof refusals): boolean => ['draft', 'stale', 'no prompt'].includes(typed);
