/**
 * One run from start to end: a workspace, a CLI in its own terminal, one prompt, one answer. Nothing of it is left when
 * this returns; if this process is killed, the cleanup process removes it.
 */
import { submitPrompt } from '../driver/input/submit-prompt.ts';
import { endPrivateCli, type PrivateCli, startPrivateCli, targetOf } from '../driver/launch/private-cli.ts';
import type { HookPayload } from '../driver/turn/hook-payload.ts';
import { transcriptSizes } from '../driver/turn/transcript-path.ts';
import { awaitWritten, isWritten, substituteLine } from '../driver/turn/written-answer.ts';
import { claudeDir } from '../paths.ts';
import { Control } from '../tmux/server/control.ts';
import { removeAbandonedRuns } from './cli/abandoned-runs.ts';
import { explainFailure } from './cli/explain-failure.ts';
import { runSettings } from './cli/settings.ts';
import { watchStart } from './cli/startup.ts';
import { closeWorkspace, openWorkspace, type Workspace } from './cli/workspace.ts';
import { failureOf, PrintFailure } from './failure.ts';
import type { WarmWorkspace } from './pool/warm.ts';
import { launchOf, type Request } from './request.ts';
import type { Answer } from './result.ts';
import { Relay } from './turn/relay.ts';
import { Turn } from './turn/turn.ts';

export interface Reports {
  /** A new line of the transcript. */
  line: (text: string) => void;
  /** The answer's text, as soon as it is known. Turns and usage may still have to be counted. */
  text: (text: string) => void;
  /** Something that the person who started the run should know. */
  notice: (text: string) => void;
  /** The turn's progress, once a second. */
  working: (turn: Turn) => void;
}

export class Run {
  private readonly began = { at: Date.now(), clock: performance.now() };
  private workspace: Workspace | null = null;
  private relay: Relay | null = null;
  private starting: Promise<PrivateCli> | null = null;
  private turn: Turn | null = null;
  private control: Control | null = null;
  private stopWith: (failure: PrintFailure) => void = () => {};
  private ending: Promise<void> | null = null;
  private isOver = false;
  private isAborted = false;

  constructor(
    private readonly request: Request,
    private readonly reports: Reports,
    /** A CLI that already waits for this prompt. */
    private readonly warm: WarmWorkspace | null = null,
  ) {}

  /** Runs until the answer has arrived. Fails with a PrintFailure; nothing is left behind either way. */
  async answer(): Promise<Answer> {
    const stopped = new Promise<never>((_, fail) => {
      this.stopWith = fail;
    });
    stopped.catch(() => {});
    try {
      const stop = await Promise.race([this.runTurn(), stopped]);
      const duration = performance.now() - this.began.clock;
      return await this.readAnswer(stop, duration);
    } catch (error) {
      throw await this.explain(failureOf(error));
    } finally {
      await this.end();
    }
  }

  /** Ends the run with this failure: a signal, or an unexpected error. */
  abort(failure: PrintFailure): void {
    this.isAborted = true;
    this.stopWith(failure);
    this.turn?.fail(failure);
  }

  /** The CLI's version, as far as it is known. */
  get version(): string | null {
    const { account, status } = this.turn?.tracker ?? {};
    return account?.version ?? status?.version ?? this.request.claude.version;
  }

  private async explain(failure: PrintFailure): Promise<PrintFailure> {
    const cli = await this.starting?.catch(() => null);
    // A CLI that we ended ourselves has left nothing that explains the failure.
    if (!cli || !this.workspace || this.isOver || failure.subtype === 'interrupted') return failure;
    return explainFailure(failure, cli, this.workspace.dir);
  }

  private async runTurn(): Promise<HookPayload> {
    const { turn, cli } = await this.start();
    const startup = this.warm ? null : watchStart(cli, turn, this.request.trust, () => this.isOver);
    const submitted = this.submit(turn, cli);
    for (const part of [startup, submitted]) part?.catch(error => turn.fail(failureOf(error)));
    // After the prompt, which it must not delay.
    submitted.then(() => removeAbandonedRuns(this.request.env)).catch(() => {});
    const timer = setInterval(() => this.reports.working(turn), 1_000);
    try {
      return await turn.ended;
    } finally {
      clearInterval(timer);
    }
  }

  private async start(): Promise<{ turn: Turn; cli: PrivateCli }> {
    const { request, began } = this;
    const { line: onLine, notice: notify } = this.reports;
    const workspace = this.warm ?? openWorkspace(request.env, runSettings(request), request.holding !== null);
    const { dir } = workspace;
    this.workspace = workspace;
    const sizes = request.resumes ? transcriptSizes(claudeDir(request.env), request.cwd) : new Map();
    await workspace.ready;
    this.assertNotAborted();
    const early: string[] = [];
    const relay = new Relay(dir.fifo, payload => {
      if (this.turn) this.turn.onStop(payload);
      else early.push(payload);
    });
    this.relay = relay;
    this.starting = this.warm ? Promise.resolve(this.warm.cli) : startPrivateCli(dir, launchOf(request));
    const cli = await this.starting;
    // A turn that nobody waits for would keep this process running.
    this.assertNotAborted();
    const turn = new Turn({ dir, request, cli, relay, sizes, began, onLine, notify });
    this.turn = turn;
    for (const payload of early) turn.onStop(payload);
    return { turn, cli };
  }

  private assertNotAborted(): void {
    if (this.isAborted) throw new PrintFailure('interrupted', 'interrupted');
  }

  /** Pastes the prompt as soon as the prompt line appears. The prompt is never on the CLI's command line, which `ps` shows. */
  private async submit(turn: Turn, cli: PrivateCli): Promise<void> {
    const control = this.warm?.control ?? new Control(cli.socket, cli.pane);
    this.control = control;
    await submitPrompt({ ...targetOf(cli), control }, this.request.prompt, {
      isTaken: () => turn.tracker.isSubmitted,
      isOver: () => this.isOver,
      isTyped: (await this.warm?.typed) ?? false,
    });
    await control.close();
  }

  /**
   * The Stop carries the answer's text. The CLI is ended when its transcript has the last message; the rest is counted after
   * it has exited and written everything.
   */
  private async readAnswer(stop: HookPayload, duration: number): Promise<Answer> {
    const turn = this.turn as Turn;
    const { tracker } = turn;
    // Not yet with a limit on turns, which have to be counted first, nor when more may have been said after the Stop.
    const isReported = stop.answer !== null && this.request.maxTurns === null && tracker.endedAtOnce;
    if (isReported) this.reports.text(stop.answer ?? '');
    // The caller of a warm run waits for nothing but the answer.
    if (isReported && this.warm && this.request.format === 'text') return this.release(turn, stop, duration);
    await awaitWritten(tracker, stop, () => this.isAborted);
    await this.endCli();
    tracker.readLines();
    turn.assertNotFailed();
    turn.assertWithinMaxTurns();
    const text = this.textOf(turn, stop);
    if (!isReported) this.reports.text(text);
    const answer = this.answerOf(turn, text, duration);
    if (!isWritten(tracker.account, stop)) {
      this.reports.line(substituteLine(text, Date.now(), answer.sessionId, this.version));
      this.reports.notice(
        'warning: the transcript lacks the last message, so turns and usage are incomplete',
      );
    }
    return answer;
  }

  /** Leaves it to the cleanup process to end the CLI. */
  private release(turn: Turn, stop: HookPayload, duration: number): Answer {
    this.isOver = true;
    turn.close();
    this.relay?.close();
    this.workspace?.cleanup.release();
    this.ending = Promise.resolve();
    return this.answerOf(turn, stop.answer ?? '', duration);
  }

  private answerOf({ tracker }: Turn, text: string, duration: number): Answer {
    const { sessionId, account } = tracker;
    return { text, sessionId, account, duration, version: this.version, resumes: this.request.resumes };
  }

  /** The transcript's text where it is what the Stop said. */
  private textOf({ tracker }: Turn, stop: HookPayload): string {
    const { answer } = tracker.account;
    const text = answer?.trim() === stop.answer?.trim() ? answer : (stop.answer ?? answer);
    if (text === null) throw new PrintFailure('internal_error', 'the turn ended, but no answer can be read');
    return text;
  }

  private async endCli(): Promise<void> {
    this.isOver = true;
    this.turn?.close();
    this.relay?.close();
    const cli = await this.starting?.catch(() => null);
    if (cli) await endPrivateCli(cli, this.turn?.tracker.cliPid);
  }

  /** May be called more than once. */
  end(): Promise<void> {
    this.ending ??= this.endAll();
    return this.ending;
  }

  private async endAll(): Promise<void> {
    await this.endCli();
    const cli = await this.starting?.catch(() => null);
    if (this.workspace) await closeWorkspace(this.workspace, cli ?? null);
    await this.control?.close();
  }
}
