/**
 * Follows one turn until it is over, by three sources: hooks, which the caller passes on; the CLI's session file, which shows
 * a dialog, an API error and whether a Stop was final; and the transcript, which has what was said.
 */
import type { SessionStatus } from '../../claude/session-status.ts';
import { limits } from '../../limits.ts';
import type { HookPayload } from './hook-payload.ts';
import { StatusReader } from './status-reader.ts';
import { TranscriptFollower } from './transcript-follower.ts';
import { transcriptPath } from './transcript-path.ts';
import { TurnAccount } from './turn-account.ts';

export interface TurnOptions {
  claudeDir: string;
  cwd: string;
  /** The process that the terminal runs. */
  pid: number;
  /** When the turn began, by the wall clock and by `performance.now()`. */
  began: { at: number; clock: number };
  /** Sizes of the transcripts that existed before. */
  sizes: Map<string, number>;
  onLine: (text: string) => void;
}

/** How a turn ended. */
export type TurnEnd =
  | { kind: 'stopped'; stop: HookPayload }
  | { kind: 'failed'; message: string }
  | { kind: 'interrupted' };

export class TurnTracker {
  readonly account: TurnAccount;
  status: SessionStatus | null = null;
  /** What UserPromptSubmit said; null until then. */
  prompt: HookPayload | null = null;
  /** Times by `performance.now()`: the first sign of life, the first transcript line, the last sign of work. */
  firstSign: number | null = null;
  firstLine: number | null = null;
  lastSign: number;
  private stop: { payload: HookPayload; firedAt: number; readAt: number } | null = null;
  private hasBackgroundTasks = false;
  private follower: TranscriptFollower | null = null;
  private readonly statusReader: StatusReader;

  constructor(private readonly options: TurnOptions) {
    const { claudeDir, pid, began } = options;
    this.account = new TurnAccount(began.at);
    this.statusReader = new StatusReader(claudeDir, pid);
    this.lastSign = began.clock;
  }

  /** The terminal shows something: the CLI has started to run. */
  onOutput(): void {
    this.firstSign ??= performance.now();
  }

  /** UserPromptSubmit fired. */
  onPrompt(payload: HookPayload): void {
    this.prompt = payload;
    this.onWork();
  }

  /** Stop fired at `firedAt`, by the wall clock. It arrives later on a busy machine. */
  onStop(payload: HookPayload, firedAt: number): void {
    this.onWork();
    this.hasBackgroundTasks = payload.hasBackgroundTasks;
    // Its background tasks will wake it, and it will stop again.
    if (payload.hasBackgroundTasks) return;
    this.stop = { payload, firedAt, readAt: performance.now() };
  }

  /** The CLI has taken the prompt. */
  get isSubmitted(): boolean {
    return this.prompt !== null || this.status?.status === 'busy';
  }

  /** The session is past its start-up dialogs. */
  get isStarted(): boolean {
    return this.prompt !== null || this.status !== null;
  }

  /** The CLI works, or its background tasks do. */
  get isBusy(): boolean {
    return this.status?.status === 'busy' || this.hasBackgroundTasks;
  }

  /** The CLI's own process. */
  get cliPid(): number {
    return this.statusReader.pid;
  }

  get sessionId(): string | null {
    return this.stop?.payload.sessionId ?? this.prompt?.sessionId ?? this.status?.sessionId ?? null;
  }

  /** The turn ended within `stopSettle` after its Stop, so nothing was said after the Stop. */
  get endedAtOnce(): boolean {
    return this.stop !== null && performance.now() - this.stop.readAt < limits.print.stopSettle;
  }

  /** The files to watch. */
  get paths(): string[] {
    return [this.statusReader.path, ...(this.follower ? [this.follower.path] : [])];
  }

  readStatus(): void {
    const status = this.statusReader.read();
    if (!status) return;
    if (status.status !== this.status?.status) this.onWork();
    this.status = status;
  }

  /** Reads what the transcript has by now. */
  readLines(): void {
    this.follower ??= this.openTranscript();
    for (const line of this.follower?.read() ?? []) {
      this.firstLine ??= performance.now();
      this.onWork();
      this.account.add(line);
      this.options.onLine(line);
    }
  }

  /** How the turn ended; null while it continues. `hasExited`: the CLI is gone. */
  endAt(now: number, hasExited: boolean): TurnEnd | null {
    // If the last sign was a Stop, the CLI has exited normally before its status could be read.
    if (this.stop && (hasExited || this.isFinal(this.stop, now)))
      return { kind: 'stopped', stop: this.stop.payload };
    if (hasExited || this.stop || this.status?.status !== 'idle') return null;
    // No Stop follows an API error, or a hook that denied and stopped the turn.
    if (this.account.failed !== null) return { kind: 'failed', message: this.account.failed };
    return this.account.interrupted ? { kind: 'interrupted' } : null;
  }

  /** A Stop ends the turn when the session file says idle: another hook may have sent the model on. */
  private isFinal({ firedAt, readAt }: { firedAt: number; readAt: number }, now: number): boolean {
    if (!this.status) return now - readAt > limits.print.stopSettle;
    // A status that is older than the Stop says nothing about it.
    const isNewer = this.status.changed === null || this.status.changed >= firedAt - limits.print.stopSlack;
    // `shell`: idle, with a shell left running in the background.
    return isNewer && (this.status.status === 'idle' || this.status.status === 'shell');
  }

  private openTranscript(): TranscriptFollower | null {
    const { claudeDir, cwd, sizes } = this.options;
    const stop = this.stop?.payload;
    const payload = stop?.transcript ? stop : (this.prompt ?? stop);
    const path = payload && transcriptPath(claudeDir, cwd, payload);
    return path ? new TranscriptFollower(path, sizes.get(path) ?? 0) : null;
  }

  private onWork(): void {
    this.lastSign = performance.now();
    this.onOutput();
  }
}
