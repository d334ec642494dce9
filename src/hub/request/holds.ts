/**
 * Holds requests open. A PermissionRequest hook waits here while its dialog is in the terminal; the first answer wins. A hook is
 * matched to its request by the id of its delivery, never by text: two requests may be identical. Drover decides nothing by
 * itself: a hold ends with an answer, or it is released and only the terminal can answer. The CLI does not end the hook of a
 * dialog that was answered there, so a hold is released as soon as the fold shows that its request is closed.
 */
import { type Clock, schedule } from '../../clock.ts';
import type { Answer, Answered, ReleasedBy, Request } from '../../contract/answer.ts';
import { DroverError } from '../../contract/error.ts';
import type { Hook } from '../../contract/hook.ts';
import { compareVersions } from '../../contract/cli-version.ts';
import { limits } from '../../limits.ts';
import type { WaitingHook } from '../../hook/waiting-hooks.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import { requestKind, inputFingerprint } from '../../session/request/detail.ts';
import type { SessionRequest, Folded } from '../../session/memory.ts';
import { holdEvents } from '../../session/request/pending.ts';
import { type RequestDetails, type Decision, decisionFor, hookOutput } from './decision.ts';
import { ownEvent } from '../../session/own-event.ts';
import { choiceOf, toHookAnswer } from './choices.ts';
import { noAnswerError, severalOpenError, tooLateError } from './no-answer.ts';
import { inputHash } from '../../sha256.ts';
import type { WatchEffect } from './hook-effect.ts';
import { detailsOf, requestsIn } from './request.ts';
import { shortId } from '../../contract/short-id.ts';

interface Hold extends RequestDetails {
  /** The number of the event that asked. */
  id: number;
  sessionId: string;
  line: string;
  print: string;
  agent: string | null;
  since: number;
  until: number;
  cancelTimer: () => void;
  hook: WaitingHook;
}

export class Holds {
  readonly name = 'held requests';
  private readonly open = new Map<number, Hold>();
  /** Answers that were given to a hook, until it is known whether Claude Code took them. */
  private readonly confirming = new Map<number, Promise<void>>();
  private closed = false;

  constructor(
    private readonly loop: Loop,
    private readonly clock: Clock,
    /** How long requests of a session are held, ms. */
    private readonly holdTime: (session: Folded) => number,
    /** Waits until everything that the sources know about these sessions is committed. */
    private readonly catchUp: (ids: string[]) => Promise<void>,
    private readonly watchEffect: WatchEffect,
    private readonly onError: (message: string, error: unknown) => void,
    /** Whether requests of a session are held: a person said so, or an agent is to be asked. */
    private readonly isHeld: (session: Folded) => boolean = ({ approvals }) => approvals === 'held',
    /** Whether an agent is asked to decide on requests of a session. */
    private readonly isDecided: (session: Folded) => boolean = () => false,
  ) {}

  /** Releases in the log what an earlier daemon held: its hooks have ended. */
  start(): void {
    for (const { id, pending, memory } of this.loop.sessionIndex.all()) {
      const stale = memory.holds.length > 0 ? memory.holds : pending ? [pending] : [];
      for (const hold of stale) void this.record(holdEvents.released, id, { hold: hold.id, by: 'gone' });
    }
  }

  /** Releases every hook: the terminals decide. */
  close(): void {
    this.closed = true;
    for (const hold of this.open.values()) this.release(hold, 'gone');
  }

  /** Starts or stops holding the requests of a session. */
  async setHeld(sessionId: string, held: boolean): Promise<void> {
    await this.append(holdEvents.approvals, sessionId, { approvals: held ? 'held' : 'terminal' });
  }

  /** Takes the hook of a delivery, whose event has been committed: holds its request, or lets the hook go. */
  onHook(sessionId: string, delivery: string, hook: WaitingHook): void {
    const session = this.loop.sessionIndex.get(sessionId);
    const seq = this.loop.eventOf(delivery);
    const ask = session?.memory.requests.find(({ evidence }) => evidence.seq === seq);
    const payload = ask && this.loop.payloadAt(ask.evidence.seq);
    if (session && ask && payload && this.mayHold(session, ask)) this.begin(session, ask, payload, hook);
    else void hook.respond(null);
  }

  private mayHold(session: Folded, { evidence, isAnswered, agent }: SessionRequest): boolean {
    if (this.closed || isAnswered || evidence.name !== 'PermissionRequest') return false;
    if (agent !== null && !isHookBesideDialog(session) && !this.isDecided(session)) return false;
    // A released request is left to its terminal, and each request has at most one waiting hook.
    const isReleased = session.memory.past.some(({ id }) => id === evidence.seq);
    return this.isHeld(session) && !isReleased && !this.open.has(evidence.seq);
  }

  /** Answers one request; throws why it cannot, and `bad_request` when the answer does not fit. */
  async answer(sessionId: string, answer: Answer): Promise<Answered> {
    // Somebody at the terminal may have been faster.
    await this.catchUp([sessionId]);
    const hold = this.find(sessionId, answer.id);
    const choice = choiceOf(hold.kind, answer);
    const decision = decisionFor(hold, toHookAnswer(hold, answer));
    const { id, tool, line, input } = hold;
    const given = this.give(hold, decision);
    this.confirming.set(
      id,
      given.then(ignore, ignore).finally(() => this.confirming.delete(id)),
    );
    await given;
    const { behavior } = decision;
    return { id, tool, line, behavior, choice, way: 'hook', inputHash: inputHash(input) };
  }

  /** Waits until it is known what became of an answer that another caller has given. */
  async settled(id: number | undefined): Promise<void> {
    if (id === undefined) await Promise.all(this.confirming.values());
    else await this.confirming.get(id);
  }

  /** Gives the hook its decision, and waits for what shows that Claude Code took it. Throws who was faster. */
  private async give(hold: Hold, decision: Decision): Promise<void> {
    const { id, sessionId } = hold;
    const stop = new AbortController();
    const effect = this.watchEffect(hold, decision, stop.signal);
    if (!(await this.end(hold, 'answer', decision))) {
      stop.abort();
      await this.awaitEnd(sessionId, id);
      throw noAnswerError(this.sessionOf(sessionId), id, this.clock.now());
    }
    const other = await effect;
    if (other === null) return;
    if (other === 'unknown')
      throw new DroverError(
        'failed',
        `The hook of this request has passed on the answer, but nothing shows yet that Claude Code took it: ${hold.line}`,
        `\`drover show ${shortId(sessionId)}\` shows what became of it.`,
      );
    await this.record(holdEvents.released, sessionId, { hold: id, by: 'terminal', behavior: other });
    throw tooLateError(this.sessionOf(sessionId), id, this.clock.now());
  }

  private sessionOf(id: string): Folded {
    const session = this.loop.sessionIndex.get(id);
    if (!session) throw new DroverError('no_session');
    return session;
  }

  /** Leaves a request to its terminal, unless its session is held for another reason. */
  releaseToTerminal(sessionId: string, id: number): void {
    const hold = this.open.get(id);
    if (hold && this.loop.sessionIndex.get(sessionId)?.approvals !== 'held') this.release(hold, 'deadline');
  }

  /** Releases the hook of a request that is now answered in its terminal. */
  releaseToScreen(id: number): void {
    const hold = this.open.get(id);
    if (hold) this.release(hold, 'gone');
  }

  /** Every open request of a session in full, the one that is shown first. */
  requestsOf(session: Folded): Request[] {
    return requestsIn(session, seq => this.loop.payloadAt(seq)).map(request => ({
      ...request,
      since: this.open.get(request.id)?.since ?? null,
    }));
  }

  /** Whether an answer through Drover reaches this request now. */
  isOpen(id: number): boolean {
    return this.open.has(id);
  }

  /** What an answer to a held request is checked against; null when no hook waits for it. */
  heldDetails(id: number): RequestDetails | null {
    const hold = this.open.get(id);
    if (hold && !hold.hook.isThere()) this.release(hold, 'gone');
    return this.open.get(id) ?? null;
  }

  /** The same for an answer. If the hook has just gone, its request may be closing: waits for how it ends. */
  async detailsToAnswer(sessionId: string, id: number): Promise<RequestDetails | null> {
    const wasOpen = this.open.has(id);
    const details = this.heldDetails(id);
    const past = this.loop.sessionIndex.get(sessionId)?.memory.past.find(one => one.id === id);
    const isRecent = past !== undefined && this.clock.now() - past.at < limits.approvals.endKnown;
    if (!details && (wasOpen || (isRecent && past.by === 'terminal'))) await this.awaitEnd(sessionId, id);
    return details;
  }

  /** Waits for a moment until a request is closed, and until it is known how. */
  private async awaitEnd(sessionId: string, id: number): Promise<void> {
    const isKnown = () => {
      const { requests, past } = this.sessionOf(sessionId).memory;
      if (requests.some(({ evidence, isAnswered }) => evidence.seq === id && !isAnswered)) return undefined;
      return past.find(one => one.id === id)?.behavior ?? undefined;
    };
    await this.loop.until(isKnown, { timeout: limits.approvals.endKnown });
  }

  private of(sessionId: string): Hold[] {
    return [...this.open.values()].filter(hold => hold.sessionId === sessionId);
  }

  private find(sessionId: string, id: number | undefined): Hold {
    const session = this.loop.sessionIndex.get(sessionId);
    if (!session) throw new DroverError('no_session');
    if (id === undefined && session.requests.length > 1) throw severalOpenError(session.requests);
    const [only] = session.requests;
    const wanted = id ?? only?.id ?? -1;
    const hold = this.open.get(wanted);
    if (hold?.sessionId === sessionId) return hold;
    throw noAnswerError(session, id, this.clock.now());
  }

  private begin(
    { id: sessionId }: Folded,
    { agent, detail, print, evidence }: SessionRequest,
    payload: Hook,
    hook: WaitingHook,
  ): void {
    const since = this.clock.now();
    const hold: Hold = {
      ...detailsOf(payload, kindOf(payload)),
      id: evidence.seq,
      sessionId,
      line: detail.line,
      print,
      agent: agent && (detail.agent ?? agent),
      since,
      until: since,
      cancelTimer: () => {},
      hook,
    };
    this.open.set(hold.id, hold);
    hook.onGone = () => this.release(hold, 'gone');
    const time = this.timeOf(sessionId);
    this.extend(hold, since + (agent ? Math.min(limits.approvals.subagentHold, time) : time), agent === null);
  }

  private timeOf(sessionId: string): number {
    const session = this.loop.sessionIndex.get(sessionId);
    return session ? this.holdTime(session) : 0;
  }

  private extend(hold: Hold, until: number, shown: boolean): void {
    hold.cancelTimer();
    hold.until = until;
    hold.cancelTimer = schedule(this.clock, until - this.clock.now(), () => this.release(hold, 'deadline'));
    void this.record(holdEvents.held, hold.sessionId, { hold: hold.id, tool: hold.tool, until, shown });
  }

  onCommit({ changed }: Commit): void {
    if (this.open.size === 0) return;
    for (const { after } of changed) {
      const holds = this.of(after.id);
      const gone = holds.filter(hold => !isOpen(after, hold));
      for (const hold of holds) {
        if (gone.includes(hold)) this.release(hold, after.state === 'ended' ? 'gone' : 'terminal');
        // If several requests are equal, it is unknown which one was answered in the terminal, so all are released.
        else if (
          after.state === 'ended' ||
          !this.isHeld(after) ||
          gone.some(({ print }) => print === hold.print)
        )
          this.release(hold, 'gone');
        else if (hold.agent && hold.until < hold.since + this.timeOf(after.id) && areAllShown(after))
          this.extend(hold, hold.since + this.timeOf(after.id), true);
      }
    }
  }

  private release(hold: Hold, by: ReleasedBy): void {
    void this.end(hold, by, null);
  }

  /** Ends a hold. Resolves with false if its hook was gone, so that it was not answered. */
  private async end(hold: Hold, by: ReleasedBy, decision: Decision | null): Promise<boolean> {
    if (this.open.get(hold.id) !== hold) return false;
    this.open.delete(hold.id);
    hold.cancelTimer();
    const isTaken = await hold.hook.respond(decision && hookOutput(decision));
    const fields = isTaken || !decision ? { by, ...(decision && answeredFields(decision)) } : { by: 'gone' };
    await this.record(holdEvents.released, hold.sessionId, { hold: hold.id, ...fields });
    return isTaken;
  }

  /** A failure to record must not lose an answer. */
  private record(name: string, sessionId: string, fields: object): Promise<void> {
    return this.append(name, sessionId, fields).catch(error =>
      this.onError(`Could not record a ${name} event`, error),
    );
  }

  private append(name: string, sessionId: string, fields: object): Promise<void> {
    return this.loop.append([{ draft: ownEvent(name, sessionId, this.clock.now(), fields) }]);
  }
}

/** Fields for the fold. The tool's result will name the changed input. */
const answeredFields = (decision: Decision): { behavior: Decision['behavior']; print?: string } => ({
  behavior: decision.behavior,
  ...(decision.behavior === 'allow' &&
    decision.updatedInput && { print: inputFingerprint({ tool_input: decision.updatedInput }) }),
});

const isOpen = ({ memory }: Folded, { id }: Hold): boolean =>
  memory.requests.some(({ evidence }) => evidence.seq === id);

/**
 * Whether the dialogs of all held requests are on the screen. The session file only says that some dialog is. If every open
 * request is a held one of a subagent, it is theirs. Otherwise it may belong to a request that is not held.
 */
const areAllShown = ({ memory: { file, requests, holds } }: Folded): boolean =>
  file?.status === 'waiting' &&
  requests.every(({ agent, evidence }) => agent !== null && holds.some(({ id }) => id === evidence.seq));

/**
 * Whether the dialog of a subagent is on the screen while its hook waits. From 2.1.325 on every subagent runs in the background, and
 * its dialog appears only after the hook has ended. A headless session has no dialog.
 */
const isHookBesideDialog = ({ version, headless }: Folded): boolean =>
  headless || (version !== null && compareVersions(version, '2.1.325') < 0);

const ignore = (): void => {};

const kindOf = ({ tool_name: tool }: Hook): RequestDetails['kind'] => {
  const kind = requestKind(tool);
  return kind === 'question' || kind === 'plan' ? kind : 'permission';
};
