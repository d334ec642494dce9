/**
 * Finds out whether Claude Code took the decision of a hook, or somebody at the terminal was faster: the CLI ignores the output of a
 * hook whose dialog is closed. What shows it, whichever comes first: the result of the tool, the session file that has left the
 * dialog, or the transcript, which names each decision of a hook with its tool call.
 */
import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { transcriptLines, type TranscriptLine } from '../../claude/transcript.ts';
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

interface Given extends RequestDetails {
  id: number;
  sessionId: string;
  agent: string | null;
}

export class HookEffect {
  private readonly since: number;
  private readonly isChanged: boolean;

  constructor(
    private readonly loop: Loop,
    private readonly clock: Clock,
    private readonly catchUp: (ids: string[]) => Promise<void>,
    private readonly given: Given,
    private readonly decision: Decision,
  ) {
    this.since = clock.now();
    this.isChanged =
      decision.behavior === 'allow' &&
      decision.updatedInput !== undefined &&
      inputFingerprint({ tool_input: decision.updatedInput }) !==
        inputFingerprint({ tool_input: given.input });
  }

  /** Waits for what shows how the request ended. */
  async awaitOther(): Promise<OtherEnd> {
    const stop = new AbortController();
    const { effect: timeout } = limits.approvals;
    const events = this.loop.until(commit => this.shownBy(commit), { timeout, signal: stop.signal });
    const lines = this.watchTranscript(stop.signal);
    try {
      const shown = await Promise.race([events, lines]);
      if (shown === undefined) return this.withoutSign();
      if (shown === null || shown === 'allow') return shown;
      // The session file may be read before the hook of the tool, which is certain.
      await pause(limits.screen.hookLag);
      await this.catchUp([this.given.sessionId]);
      return this.ranAfterAll() ? null : shown;
    } finally {
      stop.abort();
    }
  }

  private get session(): Folded | undefined {
    return this.loop.sessionIndex.get(this.given.sessionId);
  }

  private shownBy(commit: Commit | undefined): OtherEnd | undefined {
    const { session, given, decision } = this;
    if (!session) return undefined;
    if (commit?.event.sessionId === given.sessionId) {
      const byHook = commit.event.source === 'hook' ? this.shownByHook(commit) : undefined;
      if (byHook !== undefined) return byHook;
    }
    const { past, requests } = session.memory;
    const end = past.find(({ id }) => id === given.id);
    if (end?.by === 'terminal') return end.behavior ?? 'deny';
    const isClosed = end !== undefined && !requests.some(({ evidence }) => evidence.seq === given.id);
    if (!isClosed) return undefined;
    if (session.memory.file?.status === 'idle' || session.state === 'ended') return this.whenIdle(session);
    return decision.behavior === 'allow' && !this.isChanged ? null : undefined;
  }

  /** A tool that ran shows with which input; a turn that continues shows that the CLI took a denial. */
  private shownByHook({ event, payload }: Commit): OtherEnd | undefined {
    const { given, decision } = this;
    const isOwn = payload !== null && payload.tool_name === given.tool;
    switch (event.name) {
      case 'PostToolUse':
      case 'PostToolUseFailure':
        if (!isOwn || !this.isSameCall(payload)) return undefined;
        if (decision.behavior === 'deny') return 'allow';
        return this.hasOwnInput(payload) ? null : 'allow';
      case 'Stop':
      case 'StopFailure':
        return decision.behavior === 'deny' && typeof payload?.agent_id !== 'string' && given.agent === null
          ? null
          : undefined;
      default:
        return undefined;
    }
  }

  /** Whether a result belongs to this request: its input is the one that was asked for, or the one that was given. */
  private isSameCall(payload: Hook): boolean {
    const { given, decision } = this;
    if (given.kind !== 'permission') return true;
    const print = inputFingerprint(payload);
    const changed = decision.behavior === 'allow' ? decision.updatedInput : undefined;
    return [given.input, ...(changed ? [changed] : [])].some(
      input => inputFingerprint({ tool_input: input }) === print,
    );
  }

  /** Whether the tool ran with what this answer gave. */
  private hasOwnInput(payload: Hook): boolean {
    const { given, decision } = this;
    const wanted = decision.behavior === 'allow' ? decision.updatedInput : undefined;
    if (!wanted || given.kind === 'plan') return true;
    if (given.kind === 'question') return sameText(answersIn(payload), wanted.answers);
    return inputFingerprint(payload) === inputFingerprint({ tool_input: wanted });
  }

  /** The turn is over. After a denial it ends by itself, unless the denial was to end it. */
  private whenIdle({ memory }: Folded): OtherEnd {
    const { decision } = this;
    const hasStopped = memory.end?.kind === 'stopped' && memory.end.evidence.at >= this.since;
    if (decision.behavior === 'deny') return decision.interrupt || hasStopped ? null : 'deny';
    return hasStopped ? null : 'deny';
  }

  /** Whether the tool of an allowed request has a result, or the transcript names this decision. */
  private ranAfterAll(): boolean {
    const end = this.session?.memory.past.find(({ id }) => id === this.given.id);
    const { behavior } = this.decision;
    if (this.namedInTranscript()) return true;
    return behavior === 'allow' && end?.behavior === 'allow';
  }

  /**
   * Nothing has shown anything. While another dialog is open, the session file stays as it is until the tool has run. A denial at the
   * terminal would have ended the turn.
   */
  private withoutSign(): OtherEnd {
    const others = this.session?.memory.requests.some(({ evidence }) => evidence.seq !== this.given.id);
    return this.decision.behavior === 'allow' && !this.isChanged && others ? null : 'unknown';
  }

  private async watchTranscript(signal: AbortSignal): Promise<null | undefined> {
    let size = -1;
    while (!signal.aborted && this.clock.now() - this.since < limits.approvals.effect) {
      const now = sizeOf(this.session?.transcript ?? null);
      if (now !== size && this.namedInTranscript()) return null;
      size = now;
      await pause(limits.approvals.effectPoll);
    }
    return undefined;
  }

  /** Whether the transcript says that a hook decided so on this call since the answer was given. */
  private namedInTranscript(): boolean {
    const path = this.session?.transcript;
    const tail = path ? readTail(path) : null;
    if (!tail) return false;
    const lines = transcriptLines(tail.text, tail.fromStart);
    return lines.some(line => {
      const { type, decision, toolUseID } = (line.attachment ?? {}) as Record<string, unknown>;
      if (type !== 'hook_permission_decision' || decision !== this.decision.behavior) return false;
      if (!(Date.parse(line.timestamp ?? '') >= this.since)) return false;
      const call = callOf(lines, toolUseID);
      return call !== null && call.name === this.given.tool && this.isSameCall({ tool_input: call.input });
    });
  }
}

/** The call of a tool by its id; null when these lines do not have it. */
const callOf = (lines: TranscriptLine[], id: unknown): { name?: unknown; input?: unknown } | null => {
  for (const { message } of lines) {
    const blocks = Array.isArray(message?.content) ? (message.content as Record<string, unknown>[]) : [];
    const found = blocks.find(block => block?.type === 'tool_use' && block.id === id);
    if (found) return found;
  }
  return null;
};

const answersIn = ({ tool_response: response, tool_input: input }: Hook): unknown =>
  (Object(response) as Record<string, unknown>).answers ?? (Object(input) as Record<string, unknown>).answers;

const sameText = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const sizeOf = (path: string | null): number =>
  (path && statSync(path, { throwIfNoEntry: false })?.size) || 0;
