/**
 * Finds out whether Claude Code took the decision of a hook, or somebody at the terminal was faster: the CLI ignores the output of a
 * hook whose dialog is closed. What shows it, whichever comes first: the result of the tool, the session file that has left the
 * dialog, or the transcript, which names each decision of a hook with its tool call.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type TranscriptLine, transcriptLines } from '../../claude/transcript.ts';
import { readTail } from '../../claude/transcript-file.ts';
import type { Clock } from '../../clock.ts';
import type { Hook } from '../../contract/hook.ts';
import { limits } from '../../limits.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import { inputFingerprint } from '../../session/request/detail.ts';
import type { Folded } from '../../session/memory.ts';
import type { Decision, RequestDetails } from './decision.ts';

/** How the request ended instead; null: by this decision; `unknown`: nothing shows it. */
export type OtherEnd = 'allow' | 'deny' | 'unknown' | null;

/** The request, and the session that made it. */
export interface Given extends RequestDetails {
  id: number;
  sessionId: string;
}

/** Begins to watch, before the hook is given the decision. The signal stops it. */
export type WatchEffect = (given: Given, decision: Decision, signal: AbortSignal) => Promise<OtherEnd>;

export const watchEffect =
  (loop: Loop, clock: Clock, catchUp: (ids: string[]) => Promise<void>): WatchEffect =>
  (given, decision, signal) =>
    new Effect(loop, clock, catchUp, given, decision).watch(signal);

class Effect {
  private readonly since: number;
  private readonly askedAt: number;
  /** The id of the subagent that asked. */
  private readonly agent: string | null;
  /** The fingerprint of the input that the tool gets instead of its own. */
  private readonly changed: string | null;

  constructor(
    private readonly loop: Loop,
    private readonly clock: Clock,
    private readonly catchUp: (ids: string[]) => Promise<void>,
    private readonly given: Given,
    private readonly decision: Decision,
  ) {
    this.since = clock.now();
    const asked = this.session?.memory.requests.find(({ evidence }) => evidence.seq === given.id);
    this.askedAt = asked?.evidence.at ?? this.since;
    this.agent = asked?.agent ?? null;
    const changed = decision.behavior === 'allow' ? decision.updatedInput : undefined;
    const print = changed && inputFingerprint({ tool_input: changed });
    this.changed = print === undefined || print === this.print ? null : print;
  }

  async watch(signal: AbortSignal): Promise<OtherEnd> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const { effect: timeout } = limits.approvals;
    const byEvents = this.loop.until(commit => this.shownBy(commit), { timeout, signal: either });
    const byTranscript = this.readTranscript(either);
    try {
      const shown = await Promise.race([byEvents, byTranscript.then(isNamed => (isNamed ? null : byEvents))]);
      if (shown === undefined) return this.withoutSign();
      if (shown === null) return null;
      // The session file may be read before the hook of the tool, which says more.
      await pause(limits.screen.hookLag);
      await this.catchUp([this.given.sessionId]);
      return this.isNamedInTranscript() || this.shownBy(undefined) === null ? null : shown;
    } finally {
      over.abort();
    }
  }

  private get session(): Folded | undefined {
    return this.loop.sessionIndex.get(this.given.sessionId);
  }

  private get print(): string {
    return inputFingerprint({ tool_input: this.given.input });
  }

  private shownBy(commit: Commit | undefined): OtherEnd | undefined {
    const { session, given, decision } = this;
    if (!session) return undefined;
    if (commit && this.isEndOfSubagent(commit)) return null;
    const byResult = commit?.event.sessionId === given.sessionId ? this.shownByResult(commit) : undefined;
    if (byResult !== undefined) return byResult;
    const { past, requests, file, end: turn } = session.memory;
    const end = past.find(({ id }) => id === given.id);
    if (!end || requests.some(({ evidence }) => evidence.seq === given.id)) return undefined;
    if (end.by === 'terminal') return end.behavior ?? undefined;
    // A turn goes on to its end after what a hook has decided. At the terminal "No" interrupts it.
    const hasEnded = turn !== null && turn.kind !== 'interrupted' && turn.evidence.at > this.askedAt;
    if (hasEnded) return null;
    const isInterrupted = file?.status === 'idle' && file.evidence.at > this.askedAt;
    if (decision.behavior === 'deny') return isInterrupted ? (decision.interrupt ? null : 'deny') : undefined;
    if (isInterrupted) return 'deny';
    return this.changed === null ? null : undefined;
  }

  /** A subagent goes on to its end after a denial by a hook. At the terminal "No" interrupts the turn. */
  private isEndOfSubagent({ event, payload }: Commit): boolean {
    const { agent, given, decision } = this;
    const isEnd = event.sessionId === given.sessionId && event.name === 'SubagentStop';
    return isEnd && agent !== null && payload?.agent_id === agent && decision.behavior === 'deny';
  }

  /** The transcript of the session, or that of its subagent. */
  private get transcript(): string | null {
    const path = this.session?.transcript ?? null;
    if (path === null || this.agent === null) return path;
    if (!/^[\w-]+$/.test(this.agent)) return null;
    return join(path.replace(/\.jsonl$/, ''), 'subagents', `agent-${this.agent}.jsonl`);
  }

  /** Where the answer has changed the input, the result shows with which one the tool ran. */
  private shownByResult({ event, payload }: Commit): OtherEnd | undefined {
    const { given, changed, session } = this;
    const isResult = event.name === 'PostToolUse' || event.name === 'PostToolUseFailure';
    if (event.source !== 'hook' || !isResult || !payload || payload.tool_name !== given.tool)
      return undefined;
    if (changed === null || this.decision.behavior !== 'allow') return undefined;
    if (given.kind === 'question') {
      const answers = answersIn(payload);
      if (!answers) return undefined;
      return sameAnswers(answers, this.decision.updatedInput?.answers) ? null : 'allow';
    }
    const print = inputFingerprint(payload);
    if (print === changed) return null;
    const hasTwin = session?.memory.requests.some(one => one.print === this.print) ?? false;
    return print === this.print && !hasTwin ? 'allow' : undefined;
  }

  /**
   * Nothing has shown how it ended. While another dialog is open, the session file stays as it is until the tool has run. "No" at the
   * terminal would have closed them all.
   */
  private withoutSign(): OtherEnd {
    const { memory } = this.session ?? {};
    const hasOthers = memory?.requests.some(({ evidence }) => evidence.seq !== this.given.id) ?? false;
    return this.decision.behavior === 'allow' && this.changed === null && hasOthers ? null : 'unknown';
  }

  /** Resolves with true when the transcript names the decision, and with false when it is over. */
  private async readTranscript(signal: AbortSignal): Promise<boolean> {
    const end = this.since + limits.approvals.effect;
    for (let size = -1; !signal.aborted && this.clock.now() < end; ) {
      const now = sizeOf(this.transcript);
      if (now !== size && this.isNamedInTranscript()) return true;
      size = now;
      await pause(limits.approvals.effectPoll);
    }
    return false;
  }

  /** Whether the transcript says that a hook has decided so on this call since then. */
  private isNamedInTranscript(): boolean {
    const path = this.transcript;
    const tail = path ? readTail(path) : null;
    if (!tail) return false;
    const lines = transcriptLines(tail.text, tail.fromStart);
    return lines.some(line => {
      const { type, decision, toolUseID } = (line.attachment ?? {}) as Record<string, unknown>;
      if (type !== 'hook_permission_decision' || decision !== this.decision.behavior) return false;
      if (!(Date.parse(line.timestamp ?? '') >= this.since)) return false;
      const call = callOf(lines, toolUseID);
      return call?.name === this.given.tool && covers(this.given.input, call.input);
    });
  }
}

/** The call of a tool by its id; undefined when these lines do not have it. */
const callOf = (lines: TranscriptLine[], id: unknown): Record<string, unknown> | undefined =>
  lines
    .flatMap(({ message }) =>
      Array.isArray(message?.content) ? (message.content as Record<string, unknown>[]) : [],
    )
    .find(block => block?.type === 'tool_use' && block.id === id);

const answersIn = ({ tool_response: response, tool_input: input }: Hook): unknown =>
  (Object(response) as Record<string, unknown>).answers ?? (Object(input) as Record<string, unknown>).answers;

/** Several labels may be joined in another order than they were given. */
const sameAnswers = (a: unknown, b: unknown): boolean =>
  isDeepStrictEqual(sortedAnswers(a), sortedAnswers(b));

const sortedAnswers = (answers: unknown): object =>
  Object.fromEntries(
    Object.entries(Object(answers) as object).map(([question, labels]) => [
      question,
      String(labels).split(', ').sort(),
    ]),
  );

/**
 * Whether the input that a hook reported is that of a call in the transcript, which has it as the model wrote it: the hook's may have
 * its fields in another order, and more of them, such as the file of a plan.
 */
const covers = (reported: unknown, written: unknown): boolean => {
  if (typeof written !== 'object' || written === null) return reported === written;
  if (typeof reported !== 'object' || reported === null) return false;
  if (Array.isArray(written) && (reported as unknown[]).length !== written.length) return false;
  return Object.entries(written).every(([key, value]) =>
    covers((reported as Record<string, unknown>)[key], value),
  );
};

const sizeOf = (path: string | null): number =>
  (path && statSync(path, { throwIfNoEntry: false })?.size) || 0;
