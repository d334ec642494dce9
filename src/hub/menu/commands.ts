/**
 * Commands that run one after another in a session. Each is a message with a receipt, typed when the event of the one before
 * has come: `/clear` waits for the SessionStart of the conversation that follows, everything else for its Stop. A prompt of
 * anybody else cancels the rest; the run recognises its own prompts by their text.
 */
import { type Clock, schedule } from '../../clock.ts';
import { queuedPrompt } from '../../claude/screen/queued-prompt.ts';
import { DroverError } from '../../contract/error.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import { SendMessage } from '../../contract/hub.ts';
import type { Commands as View, CommandStep, RunCommands } from '../../contract/menu.ts';
import { limits } from '../../limits.ts';
import { DeliveryQueue } from '../../live/delivery-queue.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import { commandEvents } from '../../session/commands.ts';
import type { Folded } from '../../session/memory.ts';
import type { MessageState } from '../../session/message/message.ts';
import { activeOf, endStep, isSlash, type Run, runOf, viewOf } from './command-run.ts';
import { dialogText, openDialog } from '../open-dialog.ts';
import { ownEvent } from '../../session/own-event.ts';
import type { Messages } from '../message/messages.ts';
import type { Receipts } from '../message/receipts.ts';
import { isPromptOf, outcomeOf } from '../message/turn.ts';

export class Commands {
  readonly name = 'commands';
  /** By session: the runs in progress, and the last finished ones. */
  private readonly runs = new Map<string, Run>();
  /** The steps that are to be typed, by session. */
  private readonly queue: DeliveryQueue<CommandStep>;
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
        deliver: (sessionId, [step]) => this.deliver(sessionId, step as CommandStep),
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
    for (const run of this.runs.values()) this.cancel(run, 'The daemon stopped.');
    this.queue.close();
    this.closing.abort();
  }

  /** Sends the first command, or throws why not. */
  async start(session: Folded, { commands }: RunCommands): Promise<View> {
    const before = this.runs.get(session.id);
    if (before?.status === 'running')
      throw new DroverError('refused', 'Commands are already running in this session.', 'Cancel them first.');
    const run = runOf(session.id, commands);
    const [first, ...rest] = run.steps as [CommandStep, ...CommandStep[]];
    this.remember(run);
    try {
      await this.send(run, first, session);
    } catch (error) {
      // A run whose first command is refused is dropped.
      if (before) this.remember(before);
      else this.runs.delete(session.id);
      throw error;
    }
    // It was cancelled meanwhile.
    if (run.status !== 'running') return viewOf(run);
    this.queue.add(session.id, ...rest);
    this.record(commandEvents.started, run, { commands });
    this.recordStep(run);
    return viewOf(run);
  }

  /** The run of a session or of those that follow it, or the last one there. */
  of({ id, next }: Folded): View | null {
    const run = this.runs.get(id);
    if (run) return viewOf(run);
    const follower = next === null ? undefined : this.loop.sessionIndex.get(next);
    return follower ? this.of(follower) : null;
  }

  /** Cancels the rest on request. */
  stop(sessionId: string): View {
    const run = this.runs.get(sessionId);
    if (run?.status !== 'running')
      throw new DroverError('refused', 'No commands are running in this session.');
    this.cancel(run, 'Cancelled on request.');
    return viewOf(run);
  }

  /** Waits until a run is over, or the time is. */
  async until(id: string, ms: number): Promise<View> {
    const read = (): Run => {
      const run = [...this.runs.values()].find(one => one.id === id);
      if (!run) throw new DroverError('failed', 'The commands were forgotten.');
      return run;
    };
    const finished = () => {
      const run = read();
      return run.status === 'running' ? undefined : run;
    };
    const options = { timeout: ms, signal: this.closing.signal };
    return viewOf((await this.loop.until(finished, options)) ?? read());
  }

  private isAtStep(sessionId: string): boolean {
    const run = this.runs.get(sessionId);
    return run?.status !== 'running' || activeOf(run) !== undefined;
  }

  private async deliver(sessionId: string, step: CommandStep): Promise<void> {
    this.queue.remove(sessionId, [step]);
    const run = this.runs.get(sessionId);
    const session = this.loop.sessionIndex.get(sessionId);
    if (!run) return;
    if (!session) throw new DroverError('no_session');
    await this.send(run, step, session);
    if (run.status === 'running') this.recordStep(run);
  }

  private failed(sessionId: string, error: unknown): void {
    const run = this.runs.get(sessionId);
    if (run) this.cancel(run, (error as Error).message);
  }

  private async send(run: Run, step: CommandStep, session: Folded): Promise<void> {
    const as = isSlash(step.command) ? 'command' : 'text';
    step.status = 'active';
    run.message = null;
    run.isPrompted = false;
    run.isCleared = false;
    const { id } = await this.messages.send(session, SendMessage.parse({ text: step.command, as }), null);
    run.message = id;
    // It was cancelled meanwhile.
    if (run.status !== 'running') this.messages.withdraw(id);
  }

  onCommit({ event, payload, changed }: Commit): void {
    for (const run of this.runs.values()) {
      if (run.status !== 'running') continue;
      const session = changed.find(({ after }) => after.id === run.sessionId)?.after;
      if (session?.next) this.follow(run, session.next, event);
      else if (event.sessionId === run.sessionId) this.onOwnEvent(run, event, payload);
      if (session && run.status === 'running') this.judge(run, session);
    }
  }

  private onOwnEvent(run: Run, event: Event, hook: Hook | null): void {
    if (event.source !== 'hook') return;
    const step = activeOf(run);
    if (
      event.name === 'SessionStart' &&
      hook?.source === 'compact' &&
      step?.awaits === 'SessionStart(compact)'
    )
      this.advance(run, 'compacted');
    if (event.name !== 'UserPromptSubmit' || run.message === null) return;
    // A finished background task arrives as if it were a prompt.
    if (String(hook?.prompt).startsWith('<task-notification>')) return;
    if (!run.isPrompted && (!step || isPromptOf(hook, step.command))) run.isPrompted = true;
    else this.cancel(run, otherPrompt);
  }

  /** Moves a run to the conversation that follows, by the awaited `/clear` or by somebody else's. */
  private follow(run: Run, next: string, event: Event): void {
    const step = activeOf(run);
    const waiting = this.queue.items(run.sessionId);
    this.queue.remove(run.sessionId, waiting);
    this.queue.add(next, ...waiting);
    this.runs.delete(run.sessionId);
    run.sessionId = next;
    this.runs.set(next, run);
    const message = this.messageOf(run);
    run.isCleared = step?.awaits === 'SessionStart(clear)' && message !== null && message.phase !== 'queued';
    if (!run.isCleared) this.cancel(run, `Another conversation replaced this one (${event.name}).`);
    else this.judge(run, this.loop.sessionIndex.get(next));
  }

  private messageOf({ message }: Run): MessageState | null {
    return message === null ? null : this.receipts.state(message);
  }

  /** A message has changed: one that was refused cancels the rest. */
  private onMessage(id: string): void {
    for (const run of this.runs.values()) {
      if (run.status !== 'running' || run.message !== id) continue;
      const message = this.messageOf(run);
      if (message?.phase === 'refused' || message?.phase === 'unknown')
        this.cancel(run, message.reason ?? `The command was ${message.phase}.`);
      if (run.status === 'running') this.judge(run, this.loop.sessionIndex.get(run.sessionId));
    }
  }

  /** Advances or cancels a run whose active step is over. */
  private judge(run: Run, session: Folded | undefined): void {
    if (!session) return;
    if (session.state === 'ended' && session.reason !== 'clear') {
      this.cancel(run, 'The session ended.');
      return;
    }
    const message = this.messageOf(run);
    const submitted = message && 'submittedAt' in message ? (message.submittedAt ?? null) : null;
    if (submitted === null) return;
    // The event may come before the prompt is seen to be free: both are needed.
    if (run.isCleared) this.advance(run, 'cleared');
    if (activeOf(run)?.awaits !== 'Stop' || run.message !== message?.id) return;
    const outcome = outcomeOf(session, submitted);
    if (outcome === 'stopped') this.stopped(run, session, submitted);
    else if (outcome === 'interrupted' && session.since >= submitted)
      this.cancel(run, 'Somebody interrupted it.');
    else if (outcome === 'failed') this.cancel(run, 'Its turn failed.');
    else if (message?.as === 'command') this.awaitQuiet(run);
  }

  /** The turn of the active step is over. A prompt that somebody sent meanwhile comes next. */
  private stopped(run: Run, session: Folded, submitted: number): void {
    const own = activeOf(run)?.command ?? null;
    if (queuedPrompt(session.transcript, submitted, own) !== null) this.cancel(run, otherPrompt);
    else this.advance(run, session.memory.end?.detail?.text ?? '');
  }

  /** A command of the CLI itself begins no turn and fires no hook: it is over when nothing happens for a while. */
  private awaitQuiet(run: Run): void {
    run.cancelQuiet ??= schedule(this.clock, limits.command.quiet, () => {
      run.cancelQuiet = null;
      const session = this.loop.sessionIndex.get(run.sessionId);
      if (run.status !== 'running' || !session || run.isPrompted || session.state === 'working') return;
      const dialog = openDialog(session);
      if (dialog) this.cancel(run, `It opened a dialog (${dialogText(dialog)}).`);
      else this.advance(run, 'quiet');
    });
  }

  private advance(run: Run, result: string): void {
    const step = activeOf(run);
    if (!step) return;
    endStep(run, step, 'done', result, this.clock.now());
    if (run.steps.some(({ status }) => status === 'pending')) {
      this.queue.wake(run.sessionId);
      return;
    }
    run.status = 'done';
    this.record(commandEvents.done, run, { steps: run.steps });
  }

  private cancel(run: Run, reason: string): void {
    if (run.status !== 'running') return;
    run.status = 'cancelled';
    run.reason = reason;
    if (run.message !== null) this.messages.withdraw(run.message);
    this.queue.remove(run.sessionId, this.queue.items(run.sessionId));
    for (const step of run.steps)
      if (step.status === 'active' || step.status === 'pending')
        endStep(run, step, 'cancelled', null, this.clock.now());
    this.record(commandEvents.cancelled, run, { reason, steps: run.steps });
  }

  private recordStep(run: Run): void {
    this.record(commandEvents.step, run, { message: run.message, command: activeOf(run)?.command });
  }

  private record(name: string, run: Run, fields: object): void {
    this.log(name, run.sessionId, { run: run.id, ...fields });
  }

  private log(name: string, sessionId: string, fields: object): void {
    const draft = ownEvent(name, sessionId, this.clock.now(), fields);
    this.loop.append([{ draft }]).catch(error => this.onError(`Could not log ${name}`, error));
  }

  private remember(run: Run): void {
    this.runs.delete(run.sessionId);
    this.runs.set(run.sessionId, run);
    for (const [id, { status }] of this.runs)
      if (this.runs.size > limits.command.finishedRuns && status !== 'running') this.runs.delete(id);
  }
}

const otherPrompt = 'Somebody else sent a prompt.';
