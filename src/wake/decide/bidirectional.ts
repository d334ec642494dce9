/**
 * Agents whose answer decides. Where a session has one, its Stop, PreCompact and PermissionRequest wait for it: the agent gets the
 * same message as ever, at once, and what it says is the answer. The hook waits beside the terminal, to a stated limit, and
 * whoever acts first wins. An agent that is down, slow or not understood decides nothing, and the record says so.
 */
import type { Clock } from '../../clock.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Trigger, Wake, WakeAgent } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import type { Action } from '../../live/audit.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import type { Store } from '../../store/store.ts';
import { type AgentAnswer, answerIn, undecided } from './answer-text.ts';
import { blocked, Blocks } from './blocks.ts';
import type { ContentSources } from '../message/content.ts';
import { Deciders, triggerOf } from './deciders.ts';
import { deliver, type DeliveryDeps } from '../deliver/deliver.ts';
import { removeDetachedFiles } from '../deliver/detached-process.ts';
import { freshWake } from '../outbox/fresh-wake.ts';
import { buildBundle } from '../message/bundle.ts';
import { endings, type Question } from './question.ts';
import { Questions } from './questions.ts';
import { wakeDraft } from '../outbox/record.ts';
import type { Registry } from '../registry/registry.ts';
import { eventAt, storeSources } from '../message/sources.ts';
import { askedKey, type Occasion } from '../outbox/triggers.ts';

export interface BidirectionalWorld {
  ways: DeliveryDeps;
  /** An empty file for each session whose hooks wait, named by its id. */
  markers: string;
  /** Takes in what the sources have said of these sessions until now. */
  catchUp: (ids: string[]) => Promise<void>;
  /** Answers a held request; throws why not. Null: nothing was decided, and it is let go. */
  answer: (sessionId: string, hold: number, answer: PermissionAnswer | null) => Promise<void>;
  /** Records what an agent decided. */
  record: (action: Action) => void;
  /** A wake that could not be delivered here goes the way of all others. */
  later: (wake: Wake) => void;
  /** Programs may type into this session. */
  mayDrive: (session: Folded) => boolean;
  mask: (text: string) => string;
  onError: (message: string, error: unknown) => void;
}

export interface PermissionAnswer {
  behavior: 'allow' | 'deny';
  message?: string;
}

export class Bidirectional {
  readonly name = 'decisions';
  private readonly questions = new Questions();
  private readonly blocks: Blocks;
  private readonly deciders: Deciders;
  private readonly sources: ContentSources;
  private closed = false;

  constructor(
    private readonly loop: Loop,
    private readonly store: Store,
    registry: Registry,
    private readonly clock: Clock,
    private readonly world: BidirectionalWorld,
  ) {
    this.sources = storeSources(store);
    this.blocks = new Blocks(store.wakes);
    this.deciders = new Deciders(registry, this.blocks, clock, seq => eventAt(store, seq), world.markers);
  }

  /** Lets every hook go. */
  close(): void {
    this.closed = true;
    this.questions.end();
  }

  /** The agent is told while the hook waits, and not by the outbox. */
  isAnswering(agent: WakeAgent, { trigger, seq }: Occasion, session: Folded): boolean {
    const asked = trigger === 'response_complete' ? session.memory.end?.evidence.seq : seq;
    if (asked === undefined) return false;
    // An earlier daemon may have asked: its wake is in the store.
    return (
      this.deciders.asks(agent, session, trigger, asked) ||
      this.store.wakes.has(agent.id, session.id, trigger, askedKey(trigger, asked))
    );
  }

  /**
   * Waits for the answer to a Stop or PreCompact, known by its delivery, and returns what its hook prints. Null: nothing.
   * `onLeave` registers what to do when the hook is gone.
   */
  async wait(
    { session_id: id }: Hook,
    delivery: string | null,
    onLeave: (gone: () => void) => void,
  ): Promise<string | null> {
    if (typeof id !== 'string' || delivery === null || this.closed) return null;
    // The event itself came through the spool, a moment ago.
    await this.world.catchUp([id]);
    const seq = this.loop.eventOf(delivery);
    return (
      this.questions
        .of(id)
        .find(question => question.seq === seq)
        ?.wait(onLeave) ?? null
    );
  }

  onCommit({ event, payload, changed }: Commit): void {
    for (const { after } of changed)
      if (after.state === 'ended') for (const one of this.questions.of(after.id)) one.end('gone', null);
    if (event.source !== 'hook' || event.sessionId === null || this.closed) return;
    if (event.name === 'UserPromptSubmit')
      for (const one of this.questions.of(event.sessionId)) one.end('terminal', null);
    if (!hooks.has(event.name)) return;
    const session = this.loop.sessionIndex.get(event.sessionId);
    const hook = session && this.deciders.of(session).length > 0 ? payload : null;
    const trigger = triggerOf(event.name, hook);
    if (!session || !trigger) return;
    for (const agent of this.deciders.of(session))
      if (this.deciders.asks(agent, session, trigger, event.seq))
        this.begin(agent, session, trigger, event, hook);
  }

  private begin(agent: WakeAgent, session: Folded, trigger: Trigger, event: Event, hook: Hook | null): void {
    const ms = agent.settings.answer_seconds * 1_000;
    const question = event.name === 'PermissionRequest' ? null : this.questions.ask(session, event, ms);
    question?.ask();
    const cause = {
      agent: agent.id,
      sessionId: session.id,
      trigger,
      key: askedKey(trigger, event.seq),
      seq: event.seq,
      at: this.clock.now(),
      continuation: hook?.stop_hook_active === true,
    };
    const wake: Wake = { ...freshWake(cause), status: 'sending', tries: 1 };
    wake.parcel = wake.id;
    this.store.write(() => this.store.wakes.add(wake));
    this.tell(wake, session, agent, question, ms).catch(error => {
      this.world.onError(`${agent.id} could not be asked`, error);
      question?.pass();
    });
  }

  private async tell(
    wake: Wake,
    session: Folded,
    agent: WakeAgent,
    question: Question | null,
    ms: number,
  ): Promise<void> {
    const parcel = await buildBundle(wake.id, agent, [wake], {
      sources: this.sources,
      sessionOf: () => session,
      now: () => this.clock.now(),
      mayDrive: this.world.mayDrive,
      mask: this.world.mask,
    });
    const { error, answer } = await deliver(agent, parcel, this.world.ways, ms);
    if (this.closed) return;
    const now = this.clock.now();
    wake.duration = now - wake.at;
    removeDetachedFiles(this.world.ways.dir, wake.id);
    if (error !== null) this.failed(wake, error, wake.duration >= ms, question);
    else await this.answered(wake, answerIn(answer), question);
  }

  /** The agent is down: the session goes on, and the wake is told later like any other. One that took too long is not. */
  private failed(wake: Wake, error: string, slow: boolean, question: Question | null): void {
    question?.pass();
    if (!question) this.release(wake);
    if (slow) return this.finish(wake, 'dead', null, `no answer in time, the session went on: ${error}`);
    this.note({ ...wake, status: 'pending', reason: `the session went on: ${error}` }, null);
    Object.assign(wake, { status: 'pending', parcel: null, due: this.clock.now() + limits.wake.retryPause });
    this.world.later({ ...wake, reason: this.world.mask(error) });
  }

  private async answered(wake: Wake, answer: AgentAnswer, question: Question | null): Promise<void> {
    if (question) return this.decideStop(wake, answer, question);
    const { decision } = answer;
    if (decision === null || decision === 'garbage') {
      this.release(wake);
      return this.finish(wake, 'delivered', null, undecided(answer));
    }
    const reason = 'reason' in answer ? answer.reason : null;
    const given: PermissionAnswer =
      decision === 'allow'
        ? { behavior: 'allow' }
        : { behavior: 'deny', ...(reason !== null && { message: reason }) };
    try {
      await this.held(wake);
      await this.world.answer(wake.sessionId, wake.seq, given);
      this.record(wake, 'answer', given);
      this.finish(wake, 'delivered', given.behavior, reason);
    } catch (error) {
      this.record(wake, 'answer', given, error);
      this.finish(wake, 'delivered', null, `${given.behavior} came too late: ${(error as Error).message}`);
    }
  }

  private async decideStop(wake: Wake, answer: AgentAnswer, question: Question): Promise<void> {
    if (answer.decision !== 'block' || answer.reason === null) {
      question.pass();
      return this.finish(wake, 'delivered', null, undecided(answer));
    }
    const output = JSON.stringify({ decision: 'block', reason: answer.reason });
    if (!(await question.decide(output, limits.approvals.hookConnects))) {
      question.pass();
      return this.finish(
        wake,
        'delivered',
        null,
        `block came too late: ${endings[question.endedBy ?? 'gone']}`,
      );
    }
    this.record(wake, 'block', { message: answer.reason });
    this.blocks.count(wake.agent, wake.trigger === 'pre_compact' ? null : wake.sessionId, this.clock.now());
    this.finish(wake, 'delivered', 'block', `${blocked}${answer.reason}`);
  }

  private record(wake: Wake, action: string, given: Partial<PermissionAnswer>, error?: unknown): void {
    this.world.record({
      action,
      caller: { kind: 'agent', name: wake.agent, session: null },
      session: wake.sessionId,
      at: this.clock.now(),
      requestId: wake.seq,
      text: [given.behavior, given.message].filter(Boolean).join(': '),
      error,
    });
  }

  private finish(wake: Wake, status: Wake['status'], decision: string | null, reason: string | null): void {
    Object.assign(wake, { status, doneAt: this.clock.now(), reason: reason && this.world.mask(reason) });
    this.store.write(() => this.store.wakes.save(wake));
    this.note(wake, decision);
  }

  private note(wake: Wake, decision: string | null): void {
    this.loop
      .take([{ draft: wakeDraft(wake, { mode: 'bidirectional', decision }) }])
      .catch(error => this.world.onError('an answer could not be noted', error));
  }

  /** A request that nobody decided is the terminal's alone again. */
  private release({ sessionId, seq }: Wake): void {
    this.world.answer(sessionId, seq, null).catch(() => {});
  }

  /** The hook of a request comes a moment after its event: an agent may be faster. */
  private async held({ sessionId, seq }: Wake): Promise<void> {
    const holds = () => this.loop.sessionIndex.get(sessionId)?.memory.holds ?? [];
    await this.loop.until(() => holds().find(({ id }) => id === seq), {
      timeout: limits.approvals.hookConnects,
    });
  }
}

const hooks = new Set(['Stop', 'PreCompact', 'PermissionRequest']);
