/**
 * Types one message into the prompt of its session. The start of typing is logged before the first key, so that a message is
 * never typed twice: after a crash its outcome is read from the log and the screen.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, elapsed } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import { type BegunMessage, isBegun } from '../../session/message/message.ts';
import type { Store } from '../../store/store.ts';
import type { Target } from '../../tmux/input/send.ts';
import { enterCommand, pressEnter, type TypeResult, typeText } from '../../driver/input/prompt-input.ts';
import { resolveOutcome } from './recover.ts';
import type { DrivePolicy } from '../drive-policy.ts';
import { openDialog } from '../open-dialog.ts';
import { targetOf } from '../target.ts';
import type { Receipts } from './receipts.ts';
import { clearRestoredPrompt } from '../../driver/input/restored-prompt.ts';
import type { Turns } from './turns.ts';

export class PromptWriter {
  /** The end of what was typed into each session last: a screen shows no more. */
  private readonly last = new Map<string, string>();
  /** Text that an interrupt of ours may have restored in a prompt, while nothing was typed since. */
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

  /** Starts nothing more; a message that is being typed is left to the next daemon. */
  close(): void {
    this.closed = true;
  }

  /** Forgets a session that has ended. */
  forget(id: string): void {
    this.last.delete(id);
    this.interrupted.delete(id);
  }

  /** Clears this text of ours from the prompt, after an interrupt of ours may have restored it there. */
  async clearRestored(session: Folded, text: string): Promise<void> {
    this.interrupted.set(session.id, text);
    await clearRestoredPrompt(targetOf(session), text);
  }

  /** Types a queued message and presses Enter; the receipt has what came of it. */
  async deliver(session: Folded, id: string, tries: number = limits.message.pasteAttempts): Promise<void> {
    const message = this.receipts.state(id);
    if (message?.phase !== 'queued') return;
    let target: Target;
    try {
      this.drive.assertMayDrive(session, message.byHand);
      target = targetOf(session);
    } catch (error) {
      this.refuse(id, (error as Error).message);
      return;
    }
    const { text, as } = message;
    const carried = session.state === 'working' && as === 'text';
    const after = this.store.log.lastSeq();
    if (!(await this.receipts.commit(id, message.sessionId, 'MessageTyping', { after, carried }))) return;
    const begun = this.begun(id);
    if (!begun) return;
    this.turns.followEnds(begun);
    const typed = await this.typeWhenShown(session.id, target, text, as === 'command');
    if (typeof typed === 'object') {
      this.refuse(id, typed.refused);
      return;
    }
    // A daemon that is stopping leaves it to the next one, which finds out.
    if (typed !== 'typed' && this.closed) return;
    // On a loaded machine it may appear yet, or the CLI has wiped it off with the message before.
    if (typed === 'unseen' && tries > 1) {
      void this.receipts.record(id, 'MessageUnseen', {});
      if (await this.recover(id, refusals.unseen, limits.message.pasteLost))
        return this.deliver(session, id, tries - 1);
      return;
    }
    if (typed !== 'typed') {
      if (isNeverTyped(typed)) this.refuse(id, refusals[typed]);
      else this.endUnknown(id, refusals[typed]);
      return;
    }
    this.last.set(session.id, text.slice(-limits.prompt.shown));
    this.interrupted.delete(session.id);
    // In the log before Enter: a later reader knows that the message was typed.
    await this.receipts.record(id, 'MessageTyped', {});
    await this.enter(target, begun);
  }

  /**
   * Resolves a message whose outcome is unknown: the daemon stopped while it was being typed, or the prompt did not show it.
   * Returns true when it certainly was not typed and is queued again. `reason` is for a receipt that stays unknown.
   */
  async recover(
    id: string,
    reason: string = refusals.left,
    patience: number = limits.message.neverTyped,
  ): Promise<boolean> {
    const message = this.begun(id);
    if (!message) return false;
    const { loop, clock } = this;
    const deps = { loop, clock, log: this.store.log, closed: () => this.closed };
    const found = await resolveOutcome(message, deps, patience);
    const session = loop.sessionIndex.get(message.sessionId);
    this.turns.followEnds(message);
    if (found.kind === 'submitted') {
      this.turns.submit(message, found.at, found.prompt);
      if (message.carried) this.turns.add(message);
      else if (session) this.turns.finishEnded(session);
    }
    if (found.kind === 'in line' && session) await this.enter(targetOf(session), message);
    // A daemon that is stopping leaves it to the next one.
    if (found.kind === 'unknown' && !this.closed) this.endUnknown(id, reason);
    if (found.kind === 'never typed') void this.receipts.record(id, 'MessageRequeued', {});
    return this.receipts.state(id)?.phase === 'queued';
  }

  /** Presses Enter, unless another program would read it. */
  private async enter(target: Target, message: BegunMessage): Promise<void> {
    const refused = await this.pressUntilTaken(target, message).catch(whyRefused);
    // A CLI that exited may have taken the text along.
    if (refused && !this.isSubmitted(message.id) && !this.closed)
      this.endUnknown(message.id, `It was typed, but Enter was not pressed. ${refused.refused}`);
  }

  /** Presses Enter until Claude Code reports that it has the prompt. */
  private async pressUntilTaken(target: Target, message: BegunMessage): Promise<void> {
    const { id, text, as, carried } = message;
    if (as === 'command') {
      // A slash command fires no UserPromptSubmit: it is taken when it has left the prompt. Custom commands do fire it.
      const isGone = await enterCommand(target, text, limits.message.pasteTimeout);
      if (isGone) this.turns.submit(message, this.clock.now());
    } else {
      const isTaken = () => this.closed || this.isSubmitted(id);
      const taken = await pressEnter(target, text, isTaken, limits.message.submitTimeout, carried);
      // What is typed while the session works leaves the prompt for the CLI's own queue.
      if (carried && taken && !this.closed) {
        this.turns.add(message);
        return;
      }
    }
    if (!this.isSubmitted(id) && !this.closed)
      this.endUnknown(
        id,
        'It was typed and Enter was pressed, but nothing shows that Claude Code accepted it.',
      );
  }

  /** Types into the prompt once there is one: during a start or a repaint there is none for a moment. */
  private async typeWhenShown(
    id: string,
    target: Target,
    text: string,
    asCommand: boolean,
  ): Promise<TypeResult | Refused> {
    const start = elapsed(this.clock);
    for (let drafts = 0; ; await pause(limits.prompt.poll)) {
      const interrupted = this.interrupted.get(id);
      const last = interrupted ?? this.last.get(id);
      const typed = await typeText(target, text, limits.message.pasteTimeout, asCommand, last).catch(
        whyRefused,
      );
      const session = this.loop.sessionIndex.get(id);
      const isHopeless = !session || session.state === 'ended' || openDialog(session) !== null;
      // When typing is refused, nothing was typed. The program in the foreground may leave it in a moment.
      const wait = typeof typed === 'object' ? limits.prompt.foregroundWait : limits.prompt.appearTimeout;
      if (isHopeless || this.closed || elapsed(this.clock) > start + wait) return typed;
      if (typeof typed === 'object') continue;
      // Esc restored our message after we had checked for it.
      if (typed === 'stale' && interrupted !== undefined) {
        const refused = await clearRestoredPrompt(target, interrupted).then(() => null, whyRefused);
        if (refused && elapsed(this.clock) > start + limits.prompt.foregroundWait) return refused;
      }
      // What an earlier daemon submitted last may still be shown for a moment; a draft stays.
      if (typed === 'draft' && ++drafts * limits.prompt.poll < limits.prompt.draftSettle) continue;
      if (typed !== 'no prompt' && typed !== 'stale') return typed;
    }
  }

  private begun(id: string): BegunMessage | null {
    const state = this.receipts.state(id);
    return state && isBegun(state) ? state : null;
  }

  private isSubmitted(id: string): boolean {
    const phase = this.receipts.state(id)?.phase;
    return phase !== 'typing' && phase !== 'typed';
  }

  private refuse(id: string, reason: string): void {
    void this.receipts.record(id, 'MessageRefused', { reason });
  }

  private endUnknown(id: string, reason: string): void {
    void this.receipts.record(id, 'MessageUnknown', { reason });
  }
}

interface Refused {
  refused: string;
}

/** The reason of a refused key; any other error is thrown again. */
const whyRefused = (error: unknown): Refused => {
  if (error instanceof DroverError && error.code === 'refused') return { refused: error.message };
  throw error;
};

const refusals = {
  draft: 'The prompt contains a draft, which was left unchanged.',
  stale: 'The prompt still shows the previous message, which was left unchanged.',
  'no prompt': 'There is no prompt to type into: a dialog is open, or another program runs there.',
  mixed: 'Somebody typed at the same moment. The prompt contains both texts, not submitted.',
  unseen: 'It was pasted, but does not appear in the prompt.',
  left: 'The daemon stopped while it was being typed, and its outcome is unknown.',
} as const;

const isNeverTyped = (typed: keyof typeof refusals): boolean =>
  ['draft', 'stale', 'no prompt'].includes(typed);
