/**
 * Commands that follow one another in a session. Each is a message with a receipt, typed when the event of the one before has come:
 * `/clear` waits for the SessionStart of the conversation that follows, all else for its Stop. What somebody else types in between
 * cancels the rest. Its own prompts are known by their words, so that they are not taken for somebody else's.
 */
import type { Clock } from '../../clock.ts';
import { queuedPrompt } from '../../claude/queued-prompt.ts';
import { DroverError } from '../../contract/error.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import { SendMessage } from '../../contract/hub.ts';
import type { Commands as View, CommandStep, RunCommands } from '../../contract/menu.ts';
import { limits } from '../../limits.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import { commandEvents } from '../../session/commands.ts';
import type { Folded } from '../../session/memory.ts';
import { activeOf, endStep, isSlash, type Run, runOf, viewOf } from './command-run.ts';
import { openDialog } from '../open-dialog.ts';
import { ownEvent } from '../../session/own-event.ts';
import type { Messages } from '../message/messages.ts';
import type { Receipts } from '../message/receipts.ts';
import { isPromptOf, outcomeOf } from '../message/turn.ts';

export class Commands {
  readonly name = 'commands';
  /** By session: those that run, and the last that are over. */
  private readonly runs = new Map<string, Run>();
  private readonly watchers = new Set<() => void>();

  constructor(
    private readonly loop: Loop,
    private readonly messages: Messages,
    private readonly receipts: Receipts,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    receipts.listen(id => this.look(id));
  }

  /** Cancels what an earlier daemon left, and takes back what it had not begun to type. Before messages are taken up. */
  resume(): void {
    for (const { id, memory } of this.loop.sessionIndex.live()) {
      if (!memory.commands) continue;
      const { run, message } = memory.commands;
      this.receipts.withdraw(message);
      const fields = { run, reason: 'The daemon went while they ran.' };
      this.take(commandEvents.cancelled, id, fields);
    }
  }

  /** Cancels what runs: a daemon that goes leaves no half list behind. */
  close(): void {
    for (const run of this.runs.values()) this.cancel(run, 'The daemon stopped.');
    for (const wake of this.watchers) wake();
  }

  /** Types the first command, or throws why not. */
  start(session: Folded, { commands }: RunCommands): View {
    const before = this.runs.get(session.id);
    if (before?.status === 'running')
      throw new DroverError('refused', 'Commands run in this session already.', 'Cancel those first.');
    const run = runOf(session.id, commands);
    // What does not go at all is refused before anything is remembered.
    this.send(run, run.steps[0] as CommandStep, session);
    this.remember(run);
    this.note(commandEvents.started, run, { commands });
    this.noteStep(run);
    return viewOf(run);
  }

  /** What runs in a session or in those that follow it, or ran there last. */
  of({ id, next }: Folded): View | null {
    const run = this.runs.get(id);
    if (run) return viewOf(run);
    const follower = next === null ? undefined : this.loop.sessionIndex.get(next);
    return follower ? this.of(follower) : null;
  }

  /** Cancels the rest, on somebody's wish. */
  stop(sessionId: string): View {
    const run = this.runs.get(sessionId);
    if (run?.status !== 'running') throw new DroverError('refused', 'No commands run in this session.');
    this.cancel(run, 'It was asked for.');
    return viewOf(run);
  }

  /** Waits until these are over, or the time is. */
  async until(id: string, ms: number): Promise<View> {
    const deadline = this.clock.now() + ms;
    for (;;) {
      const run = [...this.runs.values()].find(one => one.id === id);
      if (!run) throw new DroverError('failed', 'The commands were forgotten.');
      const left = deadline - this.clock.now();
      if (run.status !== 'running' || left <= 0) return viewOf(run);
      await new Promise<void>(done => {
        const wake = () => {
          clearTimeout(timer);
          this.watchers.delete(wake);
          done();
        };
        const timer = setTimeout(wake, left);
        this.watchers.add(wake);
      });
    }
  }

  private send(run: Run, step: CommandStep, session: Folded): void {
    const as = isSlash(step.command) ? 'command' : 'text';
    const message = this.messages.send(session, SendMessage.parse({ text: step.command, as }), null);
    step.status = 'active';
    run.message = message;
    run.heard = false;
    run.cleared = false;
  }

  onCommit({ event, payload, changed }: Commit): void {
    for (const run of this.runs.values()) {
      if (run.status !== 'running') continue;
      const session = changed.find(({ after }) => after.id === run.sessionId)?.after;
      if (session?.next) this.follow(run, session.next, event);
      else if (event.sessionId === run.sessionId) this.hearOwn(run, event, payload);
      if (session && run.status === 'running') this.judge(run, session);
    }
  }

  private hearOwn(run: Run, event: Event, hook: Hook | null): void {
    if (event.source !== 'hook') return;
    const step = activeOf(run);
    if (
      event.name === 'SessionStart' &&
      hook?.source === 'compact' &&
      step?.awaits === 'SessionStart(compact)'
    )
      this.advance(run, 'compacted');
    if (event.name !== 'UserPromptSubmit' || !run.message) return;
    // A background task that is over speaks as if it were a prompt.
    if (String(hook?.prompt).startsWith('<task-notification>')) return;
    if (!run.heard && isPromptOf(hook, { ...run.message, text: step?.command ?? null })) run.heard = true;
    else this.cancel(run, otherPrompt);
  }

  /** The conversation that follows: by the `/clear` that was awaited, or by somebody else's. */
  private follow(run: Run, next: string, event: Event): void {
    const step = activeOf(run);
    this.runs.delete(run.sessionId);
    run.sessionId = next;
    this.runs.set(next, run);
    run.cleared = step?.awaits === 'SessionStart(clear)' && run.message?.typingSeq !== null;
    if (!run.cleared) this.cancel(run, `The conversation was followed by another one (${event.name}).`);
    else this.judge(run, this.loop.sessionIndex.get(next));
  }

  /** A message changed: one that was refused takes the rest with it. */
  private look(id: string): void {
    for (const run of this.runs.values()) {
      if (run.status !== 'running' || run.message?.id !== id) continue;
      const { status, reason } = run.message;
      if (status === 'refused' || status === 'unknown')
        this.cancel(run, reason ?? `The command was ${status}.`);
      if (run.status === 'running') this.judge(run, this.loop.sessionIndex.get(run.sessionId));
    }
  }

  /** Whether the turn of the active step is over, and how. */
  private judge(run: Run, session: Folded | undefined): void {
    if (!session) return;
    if (session.state === 'ended' && session.reason !== 'clear') {
      this.cancel(run, 'The session ended.');
      return;
    }
    const submitted = run.message?.submittedAt ?? null;
    if (submitted === null) return;
    // The event may be faster than the eye on the prompt line: only when both have spoken is the line free.
    if (run.cleared) this.advance(run, 'cleared');
    if (activeOf(run)?.awaits !== 'Stop' || run.message?.submittedAt !== submitted) return;
    const outcome = outcomeOf(session, submitted);
    if (outcome === 'stopped') this.stopped(run, session, submitted);
    else if (outcome === 'interrupted' && session.since >= submitted)
      this.cancel(run, 'Somebody interrupted it.');
    else if (outcome === 'failed') this.cancel(run, 'Its turn failed.');
    else if (run.message?.as === 'command') this.awaitSign(run);
  }

  /** The turn of the active step is over. What somebody sent meanwhile comes next, whatever hooks have told of it. */
  private stopped(run: Run, session: Folded, submitted: number): void {
    const own = activeOf(run)?.command ?? null;
    if (queuedPrompt(session.transcript, submitted, own) !== null) this.cancel(run, otherPrompt);
    else this.advance(run, session.memory.end?.detail?.text ?? '');
  }

  /** A command of the CLI itself begins no turn and fires nothing: seen by the quiet that follows it. */
  private awaitSign(run: Run): void {
    run.quiet ??= setTimeout(() => {
      run.quiet = null;
      const session = this.loop.sessionIndex.get(run.sessionId);
      if (run.status !== 'running' || !session || run.heard || session.state === 'working') return;
      const dialog = openDialog(session);
      if (dialog) this.cancel(run, `It opened a dialog (${dialog}).`);
      else this.advance(run, 'quiet');
    }, limits.command.quiet);
    run.quiet.unref();
  }

  private advance(run: Run, result: string): void {
    const step = activeOf(run);
    if (!step) return;
    endStep(run, step, 'done', result, this.clock.now());
    const next = run.steps.find(({ status }) => status === 'pending');
    if (!next) {
      run.status = 'done';
      this.note(commandEvents.done, run, { steps: run.steps });
      return;
    }
    const session = this.loop.sessionIndex.get(run.sessionId);
    try {
      if (!session) throw new DroverError('no_session');
      this.send(run, next, session);
      this.noteStep(run);
    } catch (error) {
      this.cancel(run, (error as Error).message);
    }
  }

  private cancel(run: Run, reason: string): void {
    if (run.status !== 'running') return;
    run.status = 'cancelled';
    run.reason = reason;
    if (run.message) this.messages.withdraw(run.message);
    for (const step of run.steps)
      if (step.status === 'active' || step.status === 'pending')
        endStep(run, step, 'cancelled', null, this.clock.now());
    this.note(commandEvents.cancelled, run, { reason, steps: run.steps });
  }

  private noteStep(run: Run): void {
    this.note(commandEvents.step, run, { message: run.message?.id, command: activeOf(run)?.command });
  }

  private note(name: string, run: Run, fields: object): void {
    this.take(name, run.sessionId, { run: run.id, ...fields });
    this.tell();
  }

  private take(name: string, sessionId: string, fields: object): void {
    const draft = ownEvent(name, sessionId, this.clock.now(), fields);
    this.loop.take([{ draft }]).catch(error => this.onError('commands could not be noted', error));
  }

  private tell(): void {
    for (const wake of this.watchers) wake();
  }

  private remember(run: Run): void {
    this.runs.delete(run.sessionId);
    this.runs.set(run.sessionId, run);
    for (const [id, { status }] of this.runs)
      if (this.runs.size > limits.command.finishedRuns && status !== 'running') this.runs.delete(id);
  }
}

const otherPrompt = 'Somebody else sent a prompt.';
