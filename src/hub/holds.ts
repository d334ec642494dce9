/**
 * Requests held open. A hook of the CLI waits here while its dialog stands in the terminal; whoever answers first wins.
 * Drover decides nothing by itself: a hold ends with an answer, or it is let go, and then the terminal alone decides.
 * The CLI does not end the hook of a dialog that was answered, so a hold goes as soon as the fold shows its ask gone.
 */
import type { Clock } from '../clock.ts';
import type { Answer, Answered, Request } from '../contract/answer.ts';
import { DroverError } from '../contract/error.ts';
import type { Hook } from '../contract/hook.ts';
import { limits } from '../limits.ts';
import type { Commit, Loop } from '../live/loop.ts';
import { askKind, toolDetail, toolName } from '../session/detail.ts';
import type { Ask, Folded, ReleasedBy } from '../session/memory.ts';
import { holdEvents } from '../session/pending.ts';
import { type Asked, decisionFor, hookOutput } from './decision.ts';
import { hubDraft } from './event.ts';

interface Hold extends Asked {
  /** The number of the event that asked. */
  id: number;
  sessionId: string;
  agent: string | null;
  since: number;
  until: number;
  timer: NodeJS.Timeout;
  /** The hooks that wait: two where plugin and settings both registered one. */
  waiters: Set<(output: string | null) => void>;
}

export class Holds {
  private readonly open = new Map<number, Hold>();
  private closed = false;

  constructor(
    private readonly loop: Loop,
    private readonly clock: Clock,
    private readonly holdFor: number,
    /** Takes in what the sources have said of these sessions until now. */
    private readonly catchUp: (ids: string[]) => Promise<void>,
    private readonly onError: (message: string, error: unknown) => void,
    /** Whether requests of a session are held: a person said so, or an agent is to be asked. */
    private readonly isHeld: (session: Folded) => boolean = ({ approvals }) => approvals === 'held',
  ) {
    loop.listen(commit => this.look(commit));
  }

  /** Lets go in the log what a daemon before this one held: its hooks have left. */
  start(): void {
    for (const { id, pending, memory } of this.loop.roll.all()) {
      const stale = memory.holds.length > 0 ? memory.holds : pending ? [pending] : [];
      for (const hold of stale) void this.tell(holdEvents.released, id, { hold: hold.id, by: 'gone' });
    }
  }

  /** Lets every hook go: whoever sits at the terminals decides. */
  close(): void {
    this.closed = true;
    for (const hold of this.open.values()) this.letGo(hold, 'gone');
  }

  /** From now on, requests of this session are held, or are not. */
  async setHeld(sessionId: string, held: boolean): Promise<void> {
    await this.keep(holdEvents.approvals, sessionId, { approvals: held ? 'held' : 'terminal' });
  }

  /** A hook asks what to print. Null: nothing, the terminal decides. `leaves` says how to hear that the hook is gone. */
  async wait(payload: Hook, leaves: (gone: () => void) => void): Promise<string | null> {
    let left = false;
    leaves(() => {
      left = true;
    });
    const { session_id: id } = payload;
    if (typeof id !== 'string') return null;
    // The event itself came through the spool, a moment ago.
    await this.catchUp([id]);
    const session = this.loop.roll.get(id);
    const ask = session && this.isHeld(session) && this.askOf(session, payload);
    if (!ask || left || this.closed) return null;
    return new Promise(resolve => {
      const hold = this.open.get(ask.evidence.seq) ?? this.begin(id, ask, payload);
      const waiter = (output: string | null) => resolve(output);
      hold.waiters.add(waiter);
      leaves(() => {
        hold.waiters.delete(waiter);
        resolve(null);
        if (hold.waiters.size === 0) this.letGo(hold, 'gone');
      });
    });
  }

  /** Answers a request of a session; throws `refused` when there is none, `bad_request` when the answer does not fit. */
  async answer(sessionId: string, answer: Answer): Promise<Answered> {
    // Somebody at the terminal may have been faster.
    await this.catchUp([sessionId]);
    const hold = this.find(sessionId, answer.id);
    const decision = decisionFor(hold, answer);
    await this.end(hold, 'answer', hookOutput(decision));
    return { id: hold.id, tool: hold.tool, behavior: decision.behavior };
  }

  /** Leaves a request to its terminal, where nobody else has asked that it be held. */
  release(sessionId: string, id: number): void {
    const hold = this.open.get(id);
    if (hold && this.loop.roll.get(sessionId)?.approvals !== 'held') this.letGo(hold, 'deadline');
  }

  /** What a session waits to be answered, in full. */
  requestOf(sessionId: string): Request | null {
    const hold = this.of(sessionId)[0];
    if (!hold) return null;
    const { id, tool, until, kind, input, agent, since, suggestions } = hold;
    return { id, tool, until, kind, input, agent, rememberable: suggestions.length > 0, since };
  }

  private of(sessionId: string): Hold[] {
    return [...this.open.values()].filter(hold => hold.sessionId === sessionId).sort((a, b) => a.id - b.id);
  }

  private find(sessionId: string, id: number | undefined): Hold {
    const open = this.of(sessionId);
    const hold = id === undefined ? open[0] : open.find(one => one.id === id);
    if (hold) return hold;
    const session = this.loop.roll.get(sessionId);
    throw session ? whyNot(session, id, open.length > 0) : new DroverError('no_session');
  }

  /** The open ask that a hook speaks of: the newest that nobody waits for yet, else the one that its twin waits for. */
  private askOf({ memory }: Folded, payload: Hook): Ask | undefined {
    const tool = toolName(payload);
    const { line } = toolDetail(payload);
    const agent = payload.agent_id ?? null;
    const fit = memory.asks.filter(
      one =>
        one.tool === tool &&
        one.agent === agent &&
        one.detail.line === line &&
        one.evidence.name === 'PermissionRequest' &&
        one.evidence.seq !== memory.released?.id,
    );
    return fit.findLast(one => !this.open.has(one.evidence.seq)) ?? fit.at(-1);
  }

  private begin(sessionId: string, { agent, detail, evidence }: Ask, payload: Hook): Hold {
    const since = this.clock.now();
    const hold: Hold = {
      id: evidence.seq,
      sessionId,
      tool: toolName(payload),
      kind: kindOf(payload),
      input: objectOf(payload.tool_input),
      suggestions: Array.isArray(payload.permission_suggestions) ? payload.permission_suggestions : [],
      agent: agent && (detail.agent ?? agent),
      since,
      until: since,
      timer: setTimeout(() => {}, 0),
      waiters: new Set(),
    };
    this.open.set(hold.id, hold);
    this.holdOn(hold, since + (agent ? Math.min(limits.holdAgent, this.holdFor) : this.holdFor));
    return hold;
  }

  private holdOn(hold: Hold, until: number): void {
    clearTimeout(hold.timer);
    hold.until = until;
    hold.timer = setTimeout(() => this.letGo(hold, 'deadline'), until - this.clock.now());
    hold.timer.unref();
    void this.tell(holdEvents.held, hold.sessionId, { hold: hold.id, tool: hold.tool, until });
  }

  private look({ changed }: Commit): void {
    if (this.open.size === 0) return;
    for (const { after } of changed)
      for (const hold of this.of(after.id)) {
        if (after.state === 'ended') this.letGo(hold, 'gone');
        else if (!this.isHeld(after) || !isAsked(after, hold)) this.letGo(hold, 'terminal');
        else if (hold.agent && hold.until < hold.since + this.holdFor && isShown(after, hold))
          this.holdOn(hold, hold.since + this.holdFor);
      }
  }

  private letGo(hold: Hold, by: ReleasedBy): void {
    void this.end(hold, by, null);
  }

  private end(hold: Hold, by: ReleasedBy, output: string | null): Promise<void> {
    if (!this.open.delete(hold.id)) return Promise.resolve();
    clearTimeout(hold.timer);
    for (const waiter of hold.waiters) waiter(output);
    return this.tell(holdEvents.released, hold.sessionId, { hold: hold.id, by });
  }

  /** A failure to keep it costs nobody an answer: it is said, and that is all. */
  private tell(name: string, sessionId: string, fields: object): Promise<void> {
    return this.keep(name, sessionId, fields).catch(error =>
      this.onError(`${name} could not be kept`, error),
    );
  }

  private keep(name: string, sessionId: string, fields: object): Promise<void> {
    return this.loop.take([{ draft: hubDraft(name, sessionId, this.clock.now(), fields) }]);
  }
}

const isAsked = ({ memory }: Folded, { id }: Hold): boolean =>
  memory.asks.some(({ evidence }) => evidence.seq === id);

/** The session file says that a dialog is up, and this is the first in line: it stands on the screen. */
const isShown = ({ memory }: Folded, { id }: Hold): boolean =>
  memory.file?.status === 'waiting' && memory.asks[0]?.evidence.seq === id;

const kindOf = ({ tool_name: tool }: Hook): Request['kind'] => {
  const kind = askKind(tool);
  return kind === 'question' || kind === 'plan' ? kind : 'permission';
};

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

const endings: Record<ReleasedBy, string> = {
  answer: 'was answered already',
  terminal: 'was answered in its terminal',
  deadline: 'was held as long as it may be; only its terminal can answer it now',
  gone: 'is no longer waited for; only its terminal can answer it now',
};

/** Why there is nothing to answer. */
const whyNot = (session: Folded, id: number | undefined, asksElse: boolean): DroverError => {
  const short = session.id.slice(0, 8);
  const refused = (message: string, hint?: string) => new DroverError('refused', message, hint);
  if (session.next) return refused(`${short} was followed by ${session.next}.`, 'Answer that one instead.');
  if (session.state === 'ended') return refused(`${short} has ended.`);
  if (asksElse) return refused(`${short} asks something else by now.`, 'GET /sessions/:id shows what.');
  if (session.approvals !== 'held')
    return refused(
      `${short} is not held: what it asks is answered in its terminal.`,
      `\`drover hold ${short}\` lets the next request wait for an answer.`,
    );
  const { released } = session.memory;
  if (released && (id === undefined || id === released.id))
    return refused(`The last request of ${short} ${endings[released.by]}.`);
  return refused(`${short} waits for no answer.`);
};
