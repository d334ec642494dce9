/**
 * One run from start to end: a folder, a relay, a cleanup, a terminal of its own with the CLI in it, one prompt, one answer.
 * Whatever happens, all of it is gone when this returns; if this process is killed, the cleanup does it.
 */
import { claudeDir } from '../paths.ts';
import { type PrivateCli, endPrivateCli, startPrivateCli, targetOf } from '../driver/launch/private-cli.ts';
import { submitPrompt } from '../driver/input/submit-prompt.ts';
import { failureOf, PrintFailure } from './failure.ts';
import { explainFailure } from './cli/explain-failure.ts';
import { removeAbandonedRuns } from './cli/abandoned-runs.ts';
import type { Payload } from '../driver/turn/hook-payload.ts';
import { Relay } from './turn/relay.ts';
import { launchOf, promptAsArgument, type Request } from './request.ts';
import type { Answer } from './result.ts';
import { runSettings } from './cli/settings.ts';
import { closeWorkspace, openWorkspace, type Workspace } from './cli/workspace.ts';
import { watchStart } from './cli/startup.ts';
import { transcriptSizes } from '../driver/turn/transcript-path.ts';
import { Turn } from './turn/turn.ts';
import type { WarmWorkspace } from './pool/warm.ts';
import { awaitWritten, isWritten, madeLine } from '../driver/turn/written-answer.ts';

export interface Reports {
  /** A line of the transcript has landed. */
  line: (text: string) => void;
  /** The answer in words, as soon as it is known; more may still be to be counted. */
  text: (text: string) => void;
  /** Something that whoever started the run should know. */
  notice: (text: string) => void;
  /** What the turn is doing, now and then. */
  working: (turn: Turn) => void;
}

export class Run {
  private readonly began = { at: Date.now(), clock: performance.now() };
  private workspace: Workspace | null = null;
  private relay: Relay | null = null;
  private starting: Promise<PrivateCli> | null = null;
  private turn: Turn | null = null;
  private stopWith: (failure: PrintFailure) => void = () => {};
  private ending: Promise<void> | null = null;
  private isOver = false;
  private isAborted = false;

  constructor(
    private readonly request: Request,
    private readonly reports: Reports,
    /** A CLI that waits for this prompt already. */
    private readonly warm: WarmWorkspace | null = null,
  ) {}

  /** Runs to the answer. Fails with a PrintFailure; nothing is left behind either way. */
  async answer(): Promise<Answer> {
    const stopped = new Promise<never>((_, fail) => {
      this.stopWith = fail;
    });
    stopped.catch(() => {});
    try {
      const stop = await Promise.race([this.turnOver(), stopped]);
      const duration = performance.now() - this.began.clock;
      return await this.take(stop, duration);
    } catch (error) {
      throw await this.explainFailure(failureOf(error));
    } finally {
      await this.end();
    }
  }

  private async explainFailure(failure: PrintFailure): Promise<PrintFailure> {
    const child = await this.starting?.catch(() => null);
    // What we ended ourselves has nothing to tell.
    if (!child || !this.workspace || this.isOver || failure.subtype === 'interrupted') return failure;
    return explainFailure(failure, child, this.workspace.dir);
  }

  /** Ends the run with this failure: a signal, or something nobody expected. */
  abort(failure: PrintFailure): void {
    this.isAborted = true;
    this.stopWith(failure);
    this.turn?.fail(failure);
  }

  /** The CLI's version as far as it is known by now. */
  get version(): string | null {
    return this.turn?.account.version ?? this.turn?.status?.version ?? this.request.claude.version;
  }

  private async turnOver(): Promise<Payload> {
    const turn = await this.start();
    const asks = this.warm
      ? null
      : watchStart(await this.child(), turn, this.request.trust, () => this.isOver);
    const isGiven = !this.warm && promptAsArgument(this.request);
    const given = isGiven ? Promise.resolve() : this.deliverAfter(asks, turn);
    for (const part of [asks, given]) part?.catch(error => turn.fail(failureOf(error)));
    // Not in the way of the prompt.
    given.then(() => removeAbandonedRuns(this.request.env)).catch(() => {});
    const timer = setInterval(() => this.reports.working(turn), 1_000);
    try {
      return await turn.over;
    } finally {
      clearInterval(timer);
    }
  }

  private async start(): Promise<Turn> {
    const { request, began } = this;
    const { line, notice } = this.reports;
    const workspace = this.warm ?? openWorkspace(request.env, runSettings(request), request.holding !== null);
    const { dir } = workspace;
    this.workspace = workspace;
    const sizes = request.resumes ? transcriptSizes(claudeDir(request.env), request.cwd) : new Map();
    await workspace.ready;
    if (this.isAborted) throw new PrintFailure('interrupted', 'interrupted');
    const early: string[] = [];
    const relay = new Relay(dir.fifo, payload => {
      if (this.turn) this.turn.stopped(payload);
      else early.push(payload);
    });
    this.relay = relay;
    this.starting = this.warm ? Promise.resolve(this.warm.child) : startPrivateCli(dir, launchOf(request));
    const child = await this.starting;
    // A turn that nobody waits for would keep this process for ever.
    if (this.isAborted) throw new PrintFailure('interrupted', 'interrupted');
    this.turn = new Turn({ dir, request, child, relay, sizes, began, line, notice });
    for (const payload of early) this.turn.stopped(payload);
    return this.turn;
  }

  private async child(): Promise<PrivateCli> {
    if (!this.starting) throw new PrintFailure('internal_error', 'there is no CLI');
    return this.starting;
  }

  private async deliverAfter(asks: Promise<void> | null, turn: Turn): Promise<void> {
    await asks;
    const { control, typed } = this.warm ?? {};
    const target = { ...targetOf(await this.child()), ...(control && { control }) };
    await submitPrompt(target, this.request.prompt.text, {
      isTaken: () => turn.submitted,
      isOver: () => this.isOver,
      isTyped: (await typed) ?? false,
    });
    await control?.close();
  }

  /**
   * The answer in words comes with the Stop. The CLI is ended only when its transcript has the last message, and all else is
   * counted when it has ended and written the rest.
   */
  private async take(stop: Payload, duration: number): Promise<Answer> {
    const turn = this.turn as Turn;
    // With a limit on turns it must be counted first whether this is an answer; and so after a Stop that was held up, behind
    // which more may have been said.
    const told = stop.answer !== null && this.request.maxTurns === null && turn.endedAtOnce;
    if (told) this.reports.text(stop.answer ?? '');
    // Whoever asked for a warm run waits for no more than the answer.
    if (told && this.warm && this.request.format === 'text') return this.left(turn, stop, duration);
    await awaitWritten(turn, stop, () => this.isAborted);
    await this.endCli();
    turn.readLines();
    turn.refuseFailed();
    turn.limitTurns();
    const text = this.textOf(turn, stop);
    if (!told) this.reports.text(text);
    const answer = this.answerOf(turn, stop, text, duration);
    if (!isWritten(turn.account, stop)) {
      this.reports.line(madeLine(text, answer.sessionId, this.version));
      this.reports.notice('warning: the transcript lacks the last message, and so do turns and usage');
    }
    return answer;
  }

  /** Leaves the end of the CLI to its cleanup. */
  private left(turn: Turn, stop: Payload, duration: number): Answer {
    this.isOver = true;
    turn.close();
    this.relay?.close();
    this.workspace?.cleanup.release();
    this.ending = Promise.resolve();
    return this.answerOf(turn, stop, stop.answer ?? '', duration);
  }

  private answerOf(turn: Turn, stop: Payload, text: string, duration: number): Answer {
    const sessionId = stop.sessionId ?? turn.identity?.sessionId ?? turn.status?.sessionId ?? null;
    const { resumes } = this.request;
    return { text, sessionId, account: turn.account, duration, version: this.version, resumes };
  }

  /** As the transcript has it, where that is what the Stop said. */
  private textOf({ account }: Turn, stop: Payload): string {
    const { answer } = account;
    const text = answer?.trim() === stop.answer?.trim() ? answer : (stop.answer ?? answer);
    if (text === null) throw new PrintFailure('internal_error', 'the turn is over and no answer can be read');
    return text;
  }

  private async endCli(): Promise<void> {
    this.isOver = true;
    this.turn?.close();
    this.relay?.close();
    const child = await this.starting?.catch(() => null);
    if (child) await endPrivateCli(child, this.turn?.cliPid);
  }

  /** May be called twice, and while it is under way. */
  end(): Promise<void> {
    this.ending ??= this.endAll();
    return this.ending;
  }

  private async endAll(): Promise<void> {
    await this.endCli();
    const child = await this.starting?.catch(() => null);
    if (this.workspace) await closeWorkspace(this.workspace, child ?? null);
    await this.warm?.control.close();
  }
}
