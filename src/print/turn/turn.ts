/** The turn of a run: passes the facts of its relay hooks to the tracker, and decides when the run has to fail. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { isRunning, type PrivateCli } from '../../driver/launch/private-cli.ts';
import { FileWatchers } from '../../driver/turn/file-watchers.ts';
import { type HookPayload, isCompletePayload, parseHookPayload } from '../../driver/turn/hook-payload.ts';
import { TurnTracker } from '../../driver/turn/turn-tracker.ts';
import { limits } from '../../limits.ts';
import { claudeDir } from '../../paths.ts';
import { PermissionDialog } from '../cli/permission-dialog.ts';
import type { RunDir } from '../cli/run-dir.ts';
import { failureOf, PrintFailure } from '../failure.ts';
import type { Request } from '../request.ts';
import type { Relay } from './relay.ts';
import { passedLimit } from './time-limits.ts';

export interface TurnOptions {
  dir: RunDir;
  request: Request;
  cli: PrivateCli;
  relay: Relay;
  /** Sizes of the transcripts that existed before. */
  sizes: Map<string, number>;
  /** When the run began, by the wall clock and by `performance.now()`. */
  began: { at: number; clock: number };
  onLine: (text: string) => void;
  /** Reports something to the person who started the run. */
  notify: (text: string) => void;
}

export class Turn {
  readonly tracker: TurnTracker;
  /** Resolves with the last Stop, or fails as the run does. */
  readonly ended: Promise<HookPayload>;
  private settle!: { resolve: (stop: HookPayload) => void; reject: (error: PrintFailure) => void };
  private readonly watchers = new FileWatchers(() => this.poll());
  private readonly timer: NodeJS.Timeout;
  private readonly dialog: PermissionDialog;
  private isClosed = false;

  constructor(private readonly options: TurnOptions) {
    const { began, request, cli, sizes, onLine } = options;
    this.tracker = new TurnTracker({
      claudeDir: claudeDir(request.env),
      cwd: request.cwd,
      pid: cli.cliPid,
      began,
      sizes,
      onLine,
    });
    this.dialog = new PermissionDialog(request, cli.socket, options.notify);
    this.ended = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    this.ended.catch(() => {});
    this.timer = setInterval(() => this.poll(), limits.print.poll);
    this.poll();
  }

  /** A Stop came over the FIFO. */
  onStop(payload: string): void {
    // The time of the file is when the hook fired.
    const firedAt = statSync(this.options.dir.stopped, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    this.tracker.onStop(parseHookPayload(payload), firedAt);
    this.poll();
  }

  fail(error: PrintFailure): void {
    this.settle.reject(error);
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.timer);
    this.watchers.close();
  }

  /** Throws when the model answered with an API error. */
  assertNotFailed(): void {
    const { failed } = this.tracker.account;
    if (failed !== null) throw new PrintFailure('assistant_error', failed);
  }

  /** The interactive CLI has no limit on model turns. A tool call in the last allowed one would need one more. */
  assertWithinMaxTurns(): void {
    const { maxTurns } = this.options.request;
    const { turns, tool } = this.tracker.account;
    if (maxTurns === null || turns < maxTurns) return;
    if (turns > maxTurns || tool !== null)
      throw new PrintFailure('error_max_turns', `reached the maximum of ${maxTurns} turns`);
  }

  private poll(): void {
    if (this.isClosed) return;
    try {
      for (const path of [this.options.dir.identity, ...this.tracker.paths]) this.watchers.add(path);
      this.readPrompt();
      this.tracker.readStatus();
      this.tracker.readLines();
      this.decide();
    } catch (error) {
      this.settle.reject(failureOf(error));
    }
  }

  private decide(): void {
    const { tracker } = this;
    const { cli, relay } = this.options;
    const now = performance.now();
    const hasExited = !isRunning(cli);
    const end = tracker.endAt(now, hasExited);
    if (end?.kind === 'stopped') {
      this.settle.resolve(end.stop);
      return;
    }
    if (hasExited) throw new PrintFailure('internal_error', 'claude exited before its turn ended');
    if (!relay.exists()) throw new PrintFailure('internal_error', 'the FIFO of this run was removed');
    if (end?.kind === 'failed') throw new PrintFailure('assistant_error', end.message);
    if (end?.kind === 'interrupted') throw new PrintFailure('assistant_error', 'the turn was interrupted');
    this.assertWithinMaxTurns();
    this.dialog.check(tracker.status, tracker.account.tool, now);
    this.assertInTime(now);
  }

  private assertInTime(now: number): void {
    const { request, began } = this.options;
    const { firstSign, firstLine, lastSign, isStarted, isBusy, status } = this.tracker;
    // A person may take any time to answer a dialog.
    const isAnswering = status?.status === 'waiting' && request.onPermission !== 'fail';
    const passed = passedLimit({
      limits: request.limits,
      isStreaming: request.format === 'stream-json',
      now,
      began: began.clock,
      firstSign,
      firstLine,
      lastSign,
      isStarted,
      isBusy: isBusy || isAnswering,
    });
    if (passed) throw new PrintFailure('timeout', passed);
  }

  private readPrompt(): void {
    if (this.tracker.prompt) return;
    let text: string;
    try {
      text = readFileSync(this.options.dir.identity, 'utf8');
    } catch {
      return;
    }
    // Half written.
    if (!text.endsWith('\n') && !isCompletePayload(text)) return;
    const prompt = parseHookPayload(text);
    this.tracker.onPrompt(prompt);
    this.holdRequests(prompt.sessionId);
  }

  /** The relay hook keeps the prompt back until the daemon holds the requests of this session. */
  private holdRequests(sessionId: string | null): void {
    const { request, dir } = this.options;
    if (!request.holding || sessionId === null) return;
    request.holding.hold(sessionId).then(
      () => writeFileSync(dir.held, ''),
      error => this.settle.reject(failureOf(error)),
    );
  }
}
