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
import { limits } from '../../limits.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import { requestKind, inputFingerprint } from '../../session/request/detail.ts';
import type { SessionRequest, Folded } from '../../session/memory.ts';
import { holdEvents } from '../../session/request/pending.ts';
import { type RequestDetails, type Decision, decisionFor, hookOutput } from './decision.ts';
import { ownEvent } from '../../session/own-event.ts';
import { choiceOf, toHookAnswer } from './choices.ts';
import { noAnswerError, severalOpenError } from './no-answer.ts';
import { inputHash } from '../../sha256.ts';
import { detailsOf, requestsIn } from './request.ts';

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
  /** Gives its hook the output. */
  respond: (output: string | null) => void;
}

export class Holds {
  readonly name = 'held requests';
  private readonly open = new Map<number, Hold>();
  private closed = false;

  constructor(
    private readonly loop: Loop,
    private readonly clock: Clock,
    /** How long requests of a session are held, ms. */
    private readonly holdTime: (session: Folded) => number,
    /** Waits until everything that the sources know about these sessions is committed. */
    private readonly catchUp: (ids: string[]) => Promise<void>,
    private readonly onError: (message: string, error: unknown) => void,
    /** Whether requests of a session are held: a person said so, or an agent is to be asked. */
    private readonly isHeld: (session: Folded) => boolean = ({ approvals }) => approvals === 'held',
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

  /**
   * Waits for the answer to the request of one delivery and returns what its hook prints. Null: nothing, the terminal decides.
   * `onLeave` registers what to do when the hook is gone.
   */
  async wait(
    { session_id: id }: Hook,
    delivery: string | null,
    onLeave: (gone: () => void) => void,
  ): Promise<string | null> {
    let left = false;
    onLeave(() => {
      left = true;
    });
    if (typeof id !== 'string' || delivery === null) return null;
    // The event itself came through the spool a moment ago.
    await this.catchUp([id]);
    const session = this.loop.sessionIndex.get(id);
    const seq = this.loop.eventOf(delivery);
    const ask = session?.memory.requests.find(({ evidence }) => evidence.seq === seq);
    const payload = ask && this.loop.payloadAt(ask.evidence.seq);
    if (!session || !ask || !payload || left || this.closed) return null;
    if (ask.isAnswered || ask.evidence.name !== 'PermissionRequest' || !this.isHeld(session)) return null;
    // A released request is left to its terminal, and each request has at most one waiting hook.
    const isReleased = session.memory.past.some(past => past.id === seq);
    if (isReleased || this.open.has(ask.evidence.seq)) return null;
    return new Promise(resolve => {
      const hold = this.begin(id, ask, payload, resolve);
      onLeave(() => this.release(hold, 'gone'));
    });
  }

  /** Answers one request; throws why it cannot, and `bad_request` when the answer does not fit. */
  async answer(sessionId: string, answer: Answer): Promise<Answered> {
    // Somebody at the terminal may have been faster.
    await this.catchUp([sessionId]);
    const hold = this.find(sessionId, answer.id);
    const choice = choiceOf(hold.kind, answer);
    const decision = decisionFor(hold, toHookAnswer(hold, answer));
    const { id, tool, line, input } = hold;
    await this.end(hold, 'answer', decision);
    const { behavior } = decision;
    return { id, tool, line, behavior, choice, way: 'hook', inputHash: inputHash(input) };
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
    return this.open.get(id) ?? null;
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
    sessionId: string,
    { agent, detail, print, evidence }: SessionRequest,
    payload: Hook,
    respond: Hold['respond'],
  ): Hold {
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
      respond,
    };
    this.open.set(hold.id, hold);
    const time = this.timeOf(sessionId);
    this.extend(hold, since + (agent ? Math.min(limits.approvals.subagentHold, time) : time), agent === null);
    return hold;
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

  private end(hold: Hold, by: ReleasedBy, decision: Decision | null): Promise<void> {
    if (this.open.get(hold.id) !== hold) return Promise.resolve();
    this.open.delete(hold.id);
    hold.cancelTimer();
    hold.respond(decision && hookOutput(decision));
    const fields = { hold: hold.id, by, ...(decision && answeredFields(decision)) };
    return this.record(holdEvents.released, hold.sessionId, fields);
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

const kindOf = ({ tool_name: tool }: Hook): RequestDetails['kind'] => {
  const kind = requestKind(tool);
  return kind === 'question' || kind === 'plan' ? kind : 'permission';
};
