/**
 * Commands that run one after another in a session. Each is a message with a receipt, typed when the event of the one before
 * has come: `/clear` waits for the SessionStart of the conversation that follows, everything else for its Stop. A prompt of
 * anybody else cancels the rest; the run recognises its own prompts by their text.
 */
import { randomUUID } from 'node:crypto';
import { type Clock, schedule } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import { SendMessage } from '../../contract/hub.ts';
import type { Commands as View, RunCommands } from '../../contract/menu.ts';
import { limits } from '../../limits.ts';
import { DeliveryQueue } from '../../live/delivery-queue.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import { commandEvents } from '../../session/command/command-events.ts';
import {
  activeOf,
  isSlash,
  newRun,
  type Run,
  type RunningRun,
  viewOf,
} from '../../session/command/command-run.ts';
import type { Folded } from '../../session/memory.ts';
import type { MessageState } from '../../session/message/message.ts';
import { dialogText, openDialog } from '../open-dialog.ts';
import { ownEvent } from '../../session/own-event.ts';
import type { Messages } from '../message/messages.ts';
import type { Receipts } from '../message/receipts.ts';
import { isPromptOf } from '../message/turn.ts';
import { Runs } from './runs.ts';
import { otherPromptReason, stepEnd } from './step-end.ts';

export class Commands {
  readonly name = 'commands';
  private readonly runs = new Runs();
  /** The steps that are to be typed, by session and their place in its run. */
  private readonly queue: DeliveryQueue<number>;
  /** Ends the wait for quiet, by run. */
  private readonly quiet = new Map<string, () => void>();
  private readonly closing = new AbortController();

  constructor(
    private readonly loop: Loop,
    private readonly messages: Pick<Messages, 'send' | 'withdraw'>,
    private readonly receipts: Receipts,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    this.queue = new DeliveryQueue(
      {
        delay: sessionId => (this.isAtStep(sessionId) ? null : 0),
        deliver: (sessionId, [step]) => this.deliver(sessionId, step as number),
        failed: (sessionId, _, error) => this.failed(sessionId, error),
      },
      clock,
    );
    receipts.listen(id => this.onMessage(id));
  }

  /** Cancels the runs of an earlier daemon, and withdraws what it had not begun to type. Before messages are recovered. */
  cancelEarlier(): void {
    for (const { id, memory } of this.loop.sessionIndex.live()) {
      if (!memory.commands) continue;
      const { run, message } = memory.commands;
      this.receipts.withdraw(message);
      const fields = { run, reason: 'The daemon stopped while they ran.' };
      this.log(commandEvents.cancelled, id, fields);
    }
  }

  /** Cancels every run: a daemon that stops leaves no unfinished list. */
  close(): void {
    for (const { id } of this.runs.allRunning()) this.cancel(id, 'The daemon stopped.');
    this.queue.close();
    this.closing.abort();
  }

  /** Sends the first command, or throws why not. */
  async start(session: Folded, { commands }: RunCommands): Promise<View> {
    const before = this.runs.of(session.id);
    if (before?.status === 'running')
      throw new DroverError('refused', 'Commands are already running in this session.', 'Cancel them first.');
    const run = newRun(randomUUID(), session.id, commands);
    this.runs.add(run);
    try {
      await this.send(run.id, 0, session);
    } catch (error) {
      // A run whose first command is refused is dropped.
      this.runs.remove(run.id);
      if (before) this.runs.add(before);
      throw error;
    }
    const begun = this.runs.named(run.id);
    // It was cancelled in the meantime.
    if (begun.status !== 'running') return viewOf(begun);
    this.queue.add(begun.sessionId, ...commands.slice(1).map((_, at) => at + 1));
    this.record(commandEvents.started, begun, { commands });
    this.recordStep(begun);
    return viewOf(begun);
  }

  /** The run of a session or of those that follow it, or the last one there. */
  of({ id, next }: Folded): View | null {
    const run = this.runs.of(id);
    if (run) return viewOf(run);
    const follower = next === null ? undefined : this.loop.sessionIndex.get(next);
    return follower ? this.of(follower) : null;
  }

  /** Cancels the rest on request. */
  stop(sessionId: string): View {
    const run = this.runs.of(sessionId);
    if (run?.status !== 'running')
      throw new DroverError('refused', 'No commands are running in this session.');
    this.cancel(run.id, 'Cancelled on request.');
    return viewOf(this.runs.named(run.id));
  }

  /** Waits until a run is over, or the time is. */
  async until(id: string, ms: number): Promise<View> {
    const finished = () => {
      const run = this.runs.named(id);
      return run.status === 'running' ? undefined : run;
    };
    const options = { timeout: ms, signal: this.closing.signal };
    return viewOf((await this.loop.until(finished, options)) ?? this.runs.named(id));
  }

  private isAtStep(sessionId: string): boolean {
    const run = this.runs.of(sessionId);
    return run?.status !== 'running' || activeOf(run) !== undefined;
  }

  private async deliver(sessionId: string, step: number): Promise<void> {
    this.queue.remove(sessionId, [step]);
    const run = this.runs.of(sessionId);
    const session = this.loop.sessionIndex.get(sessionId);
    if (!run) return;
    if (!session) throw new DroverError('no_session');
    await this.send(run.id, step, session);
    const sent = this.runs.running(run.id);
    if (sent) this.recordStep(sent);
  }

  private failed(sessionId: string, error: unknown): void {
    const run = this.runs.of(sessionId);
    if (run) this.cancel(run.id, (error as Error).message);
  }

  private async send(id: string, step: number, session: Folded): Promise<void> {
    const begun = this.runs.change(id, { kind: 'begun', step });
    const text = begun?.steps[step]?.command;
    if (text === undefined) return;
    const as = isSlash(text) ? 'command' : 'text';
    const message = await this.messages.send(session, SendMessage.parse({ text, as }), null);
    // It was cancelled in the meantime.
    if (!this.runs.change(id, { kind: 'sent', message: message.id })) this.messages.withdraw(message.id);
  }

  onCommit({ event, payload, changed }: Commit): void {
    for (const { id, sessionId } of this.runs.allRunning()) {
      const session = changed.find(({ after }) => after.id === sessionId)?.after;
      if (session?.next) this.follow(id, session.next, event);
      else if (event.sessionId === sessionId) this.onOwnEvent(id, event, payload);
      if (session) this.advanceOrCancel(id, session);
    }
  }

  private onOwnEvent(id: string, event: Event, hook: Hook | null): void {
    const run = this.runs.running(id);
    if (!run || event.source !== 'hook') return;
    const step = activeOf(run);
    if (
      event.name === 'SessionStart' &&
      hook?.source === 'compact' &&
      step?.awaits === 'SessionStart(compact)'
    )
      this.advance(id, 'compacted');
    if (event.name !== 'UserPromptSubmit' || run.message === null) return;
    // A finished background task arrives as if it were a prompt.
    if (String(hook?.prompt).startsWith('<task-notification>')) return;
    if (!run.isPrompted && (!step || isPromptOf(hook, step.command)))
      this.runs.change(id, { kind: 'prompted' });
    else this.cancel(id, otherPromptReason);
  }

  /** Moves a run to the conversation that follows, by the awaited `/clear` or by somebody else's. */
  private follow(id: string, next: string, event: Event): void {
    const run = this.runs.running(id);
    if (!run) return;
    const step = activeOf(run);
    const waiting = this.queue.items(run.sessionId);
    this.queue.remove(run.sessionId, waiting);
    this.queue.add(next, ...waiting);
    const message = this.messageOf(run);
    const isCleared =
      step?.awaits === 'SessionStart(clear)' && message !== null && message.phase !== 'queued';
    this.runs.change(id, { kind: 'moved', sessionId: next, isCleared });
    if (!isCleared) this.cancel(id, `Another conversation replaced this one (${event.name}).`);
    else this.advanceOrCancel(id, this.loop.sessionIndex.get(next));
  }

  private messageOf({ message }: RunningRun): MessageState | null {
    return message === null ? null : this.receipts.state(message);
  }

  /** A message has changed: one that was refused cancels the rest. */
  private onMessage(message: string): void {
    for (const run of this.runs.allRunning()) {
      if (run.message !== message) continue;
      const state = this.messageOf(run);
      if (state?.phase === 'refused' || state?.phase === 'unknown')
        this.cancel(run.id, state.reason ?? `The command was ${state.phase}.`);
      this.advanceOrCancel(run.id, this.loop.sessionIndex.get(run.sessionId));
    }
  }

  /** Advances or cancels a run whose active step is over. */
  private advanceOrCancel(id: string, session: Folded | undefined): void {
    const run = this.runs.running(id);
    const end = run && session ? stepEnd(run, session, this.messageOf(run)) : null;
    if (end?.kind === 'done') this.advance(id, end.result);
    else if (end?.kind === 'cancelled') this.cancel(id, end.reason);
    else if (end) this.awaitQuiet(id);
  }

  /** A command of the CLI itself begins no turn and fires no hook: it is over when nothing happens for a while. */
  private awaitQuiet(id: string): void {
    if (this.quiet.has(id)) return;
    const onQuiet = () => {
      this.quiet.delete(id);
      const run = this.runs.running(id);
      const session = run && this.loop.sessionIndex.get(run.sessionId);
      if (!run || !session || run.isPrompted || session.state === 'working') return;
      const dialog = openDialog(session);
      if (dialog) this.cancel(id, `It opened a dialog (${dialogText(dialog)}).`);
      else this.advance(id, 'quiet');
    };
    this.quiet.set(id, schedule(this.clock, limits.command.quiet, onQuiet));
  }

  private endQuiet(id: string): void {
    this.quiet.get(id)?.();
    this.quiet.delete(id);
  }

  private advance(id: string, result: string): void {
    const after = this.runs.change(id, {
      kind: 'ended',
      result: result.slice(0, limits.command.resultText),
      at: this.clock.now(),
    });
    if (!after) return;
    this.endQuiet(id);
    if (after.status === 'running') this.queue.wake(after.sessionId);
    else this.record(commandEvents.done, after, { steps: after.steps });
  }

  private cancel(id: string, reason: string): void {
    const message = this.runs.running(id)?.message ?? null;
    const after = this.runs.change(id, { kind: 'cancelled', reason, at: this.clock.now() });
    if (!after) return;
    this.endQuiet(id);
    if (message !== null) this.messages.withdraw(message);
    this.queue.remove(after.sessionId, this.queue.items(after.sessionId));
    this.record(commandEvents.cancelled, after, { reason, steps: after.steps });
  }

  private recordStep(run: RunningRun): void {
    this.record(commandEvents.step, run, { message: run.message, command: activeOf(run)?.command });
  }

  private record(name: string, run: Run, fields: object): void {
    this.log(name, run.sessionId, { run: run.id, ...fields });
  }

  private log(name: string, sessionId: string, fields: object): void {
    const draft = ownEvent(name, sessionId, this.clock.now(), fields);
    this.loop.append([{ draft }]).catch(error => this.onError(`Could not log ${name}`, error));
  }
}
