/**
 * One turn, watched until it is over. Three sources: the relay hooks (instant), the CLI's session file (it tells a
 * dialog, an API error, and whether a Stop was the last word) and the transcript (what was said). A Stop ends the turn
 * only when the file says idle: another hook may have sent the model on.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { SessionStatus } from '../../claude/session-status.ts';
import { limits } from '../../limits.ts';
import { claudeDir } from '../../paths.ts';
import { Account } from '../../driver/turn/turn-account.ts';
import { isRunning, type PrivateCli } from '../../driver/launch/private-cli.ts';
import { Dialog } from '../cli/dialog.ts';
import { failureOf, PrintFailure } from '../failure.ts';
import { Follow } from '../../driver/turn/transcript-follower.ts';
import { OwnStatus } from '../../driver/turn/status-reader.ts';
import { type Payload, parsePayload } from '../../driver/turn/hook-payload.ts';
import type { Relay } from './relay.ts';
import type { Request } from '../request.ts';
import type { RunDir } from '../cli/run-dir.ts';
import { transcriptFile } from '../../driver/turn/transcript-path.ts';
import { overdue } from './watchdog.ts';
import { Watched } from '../../driver/turn/file-watchers.ts';

export interface TurnOptions {
  dir: RunDir;
  request: Request;
  child: PrivateCli;
  relay: Relay;
  /** Sizes of the transcripts that were there before. */
  sizes: Map<string, number>;
  /** When the run began, by the wall clock and by `performance.now()`. */
  began: { at: number; clock: number };
  line: (text: string) => void;
  /** Said to whoever started the run. */
  notice: (text: string) => void;
}

export class Turn {
  readonly account: Account;
  identity: Payload | null = null;
  status: SessionStatus | null = null;
  /** The last Stop: when it fired by the wall clock, and when it was read by `performance.now()`. */
  private stop: { payload: Payload; at: number; clock: number } | null = null;
  private follow: Follow | null = null;
  private readonly watched = new Watched(() => this.look());
  private readonly timer: NodeJS.Timeout;
  private readonly claudeDir: string;
  private readonly ownStatus: OwnStatus;
  /** The last sign of work, and the first of life, by `performance.now()`. */
  private sign: number;
  private firstSign: number | null = null;
  private firstLine: number | null = null;
  private readonly dialog: Dialog;
  private inBackground = false;
  private closed = false;
  private settle!: { over: (stop: Payload) => void; fail: (error: PrintFailure) => void };
  /** Resolves with the last Stop, or fails as the run does. */
  readonly over: Promise<Payload>;

  constructor(private readonly options: TurnOptions) {
    const { began, request, child } = options;
    this.account = new Account(began.at);
    this.claudeDir = claudeDir(request.env);
    this.sign = began.clock;
    this.ownStatus = new OwnStatus(this.claudeDir, child.cliPid);
    this.dialog = new Dialog(request, child.socket, options.notice);
    this.over = new Promise((over, fail) => {
      this.settle = { over, fail };
    });
    this.over.catch(() => {});
    this.timer = setInterval(() => this.look(), limits.print.poll);
    this.look();
  }

  /** A Stop came over the FIFO. */
  stopped(payload: string): void {
    const parsed = parsePayload(payload);
    this.worked();
    this.inBackground = parsed.background;
    // It will be woken by its tasks, and stop again.
    if (parsed.background) return;
    const fired = statSync(this.options.dir.stopped, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    this.stop = { payload: parsed, at: fired, clock: performance.now() };
    this.look();
  }

  /** The terminal showed something: the CLI has begun to live. */
  alive(): void {
    this.firstSign ??= performance.now();
  }

  /** The CLI has taken the prompt. */
  get submitted(): boolean {
    return this.identity !== null || this.status?.status === 'busy';
  }

  /** Something is known of the session: it is past the dialogs of a start. */
  get started(): boolean {
    return this.identity !== null || this.status !== null;
  }

  /** The CLI's own process. */
  get cliPid(): number {
    return this.ownStatus.pid;
  }

  /** Nothing came between the Stop and the end of the turn. */
  get endedAtOnce(): boolean {
    return this.stop !== null && performance.now() - this.stop.clock < limits.print.stopSettle;
  }

  /** Takes what the transcript has by now. */
  readLines(): void {
    if (!this.follow) {
      const whose = this.stop?.payload.transcript ? this.stop.payload : (this.identity ?? this.stop?.payload);
      const path = whose && transcriptFile(this.claudeDir, this.options.request.cwd, whose);
      if (!path) return;
      this.follow = new Follow(path, this.options.sizes.get(path) ?? 0);
    }
    for (const line of this.follow.read()) {
      this.firstLine ??= performance.now();
      this.worked();
      this.account.add(line);
      this.options.line(line);
    }
  }

  fail(error: PrintFailure): void {
    this.settle.fail(error);
  }

  close(): void {
    this.closed = true;
    clearInterval(this.timer);
    this.watched.close();
  }

  private worked(): void {
    this.sign = performance.now();
    this.alive();
  }

  private look(): void {
    if (this.closed) return;
    try {
      this.watchAll();
      this.readIdentity();
      this.readStatus();
      this.readLines();
      this.decide();
    } catch (error) {
      this.settle.fail(failureOf(error));
    }
  }

  private decide(): void {
    const now = performance.now();
    const { request, child, relay } = this.options;
    if (this.stop && this.isOver(this.stop, now)) return this.settle.over(this.stop.payload);
    if (!isRunning(child)) {
      // Its last word was a Stop: it ended in order, only sooner than we looked.
      if (this.stop) return this.settle.over(this.stop.payload);
      throw new PrintFailure('internal_error', 'claude ended before its turn did');
    }
    if (!relay.stands()) throw new PrintFailure('internal_error', 'the FIFO of this run was removed');
    this.endWithoutStop();
    this.limitTurns();
    this.dialog.look(this.status, this.account.tool, now);
    const late = overdue({
      limits: request.limits,
      streams: request.format === 'stream-json',
      now,
      began: this.options.began.clock,
      firstSign: this.firstSign,
      firstLine: this.firstLine,
      sign: this.sign,
      started: this.started,
      busy: this.isBusy,
    });
    if (late) throw new PrintFailure('timeout', late);
  }

  /** Someone is at work who need not give a sign: the CLI, a subagent in the background, a person before a dialog. */
  private get isBusy(): boolean {
    const status = this.status?.status;
    return (
      status === 'busy' ||
      this.inBackground ||
      (status === 'waiting' && this.options.request.onPermission !== 'fail')
    );
  }

  private isOver(stop: { at: number; clock: number }, now: number): boolean {
    if (!this.status) return now - stop.clock > limits.print.stopSettle;
    // Only a status that is newer than the Stop says anything about it.
    const fresh = this.status.changed === null || this.status.changed >= stop.at - limits.print.stopSlack;
    // `shell`: idle, with a shell left running in the background.
    return fresh && (this.status.status === 'idle' || this.status.status === 'shell');
  }

  /** An API error, or a hook that denied and halted: the turn is over and no Stop comes. */
  private endWithoutStop(): void {
    if (this.stop || this.status?.status !== 'idle') return;
    this.refuseFailed();
    if (this.account.interrupted) throw new PrintFailure('assistant_error', 'the turn was interrupted');
  }

  refuseFailed(): void {
    if (this.account.failed !== null) throw new PrintFailure('assistant_error', this.account.failed);
  }

  /** The interactive CLI does not count: with as many answers as allowed, one that calls a tool is one too few. */
  limitTurns(): void {
    const { maxTurns } = this.options.request;
    if (maxTurns === null || this.account.turns < maxTurns) return;
    if (this.account.turns > maxTurns || this.account.tool !== null)
      throw new PrintFailure('error_max_turns', `reached the maximum of ${maxTurns} turns`);
  }

  private readIdentity(): void {
    if (this.identity) return;
    let text: string;
    try {
      text = readFileSync(this.options.dir.identity, 'utf8');
    } catch {
      return;
    }
    // Half of it: the rest is on its way.
    if (!text.endsWith('\n')) return;
    this.identity = parsePayload(text);
    this.worked();
    this.hold(this.identity.sessionId);
  }

  /** The prompt goes on when what it leads to will be held. */
  private hold(sessionId: string | null): void {
    const { request, dir } = this.options;
    if (!request.holding || sessionId === null) return;
    request.holding.hold(sessionId).then(
      () => writeFileSync(dir.held, ''),
      error => this.settle.fail(failureOf(error)),
    );
  }

  private readStatus(): void {
    const status = this.ownStatus.read();
    if (!status) return;
    if (status.status !== this.status?.status) this.worked();
    this.status = status;
  }

  private watchAll(): void {
    this.watched.add(this.options.dir.identity);
    this.watched.add(this.ownStatus.path);
    if (this.follow) this.watched.add(this.follow.path);
  }
}
