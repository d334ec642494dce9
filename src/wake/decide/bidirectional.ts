/**
 * Agents whose answer decides. Where a session has one, its Stop, PreCompact and PermissionRequest hooks wait for it. The agent
 * gets the usual message at once, and its reply is the answer. The terminal stays usable, and the first to act wins. An agent
 * that is down, slow or unclear decides nothing, and the record says so.
 */
import type { Clock } from '../../clock.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Trigger, Wake, WakeAgent, WakeMessage } from '../../contract/wake.ts';
import type { WaitingHook } from '../../hook/waiting-hooks.ts';
import { limits } from '../../limits.ts';
import type { Action } from '../../live/audit.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import type { Store } from '../../store/store.ts';
import { type AgentAnswer, answerIn, whyUndecided } from './answer-text.ts';
import { blocked, Blocks } from './blocks.ts';
import type { ContentSources } from '../message/content.ts';
import { DecidingAgents, triggerOf } from './deciding-agents.ts';
import { deliver, type DeliveryDeps } from '../deliver/deliver.ts';
import { removeDetachedFiles } from '../deliver/detached-process.ts';
import { freshWake } from '../outbox/fresh-wake.ts';
import { changeWake } from '../outbox/wake-change.ts';
import { buildBundle, sourceOf } from '../message/bundle.ts';
import { endReasons, type PendingDecision } from './pending-decision.ts';
import { PendingDecisions } from './pending-decisions.ts';
import { draftOfWake } from '../outbox/record.ts';
import type { Registry } from '../registry/registry.ts';
import { storeSources } from '../message/sources.ts';
import { decisionKey, type TriggerEvent } from '../outbox/triggers.ts';

export interface BidirectionalDeps {
  delivery: DeliveryDeps;
  /** An empty file for each session whose hooks wait, named by its id. */
  markers: string;
  /** Answers a held request, or throws why not. Null: nothing was decided, and its hook is released. */
  answer: (sessionId: string, hold: number, answer: PermissionAnswer | null) => Promise<void>;
  /** Records what an agent decided. */
  record: (action: Action) => void;
  /** Passes on a wake that could not be delivered here, to be delivered like any other. */
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
  private readonly pending: PendingDecisions;
  private readonly blocks: Blocks;
  private readonly decidingAgents: DecidingAgents;
  private readonly sources: ContentSources;
  private closed = false;

  constructor(
    private readonly loop: Loop,
    private readonly store: Store,
    registry: Registry,
    private readonly clock: Clock,
    private readonly deps: BidirectionalDeps,
  ) {
    this.sources = storeSources(store);
    this.pending = new PendingDecisions(clock);
    this.blocks = new Blocks(store.wakes);
    this.decidingAgents = new DecidingAgents(
      registry,
      this.blocks,
      clock,
      seq => store.log.at(seq),
      deps.markers,
    );
  }

  /** Releases every hook. */
  close(): void {
    this.closed = true;
    this.pending.endAll();
  }

  /** Whether the agent decides while the hook waits. The outbox leaves such a wake out. */
  isDeciding(agent: WakeAgent, { trigger, seq }: TriggerEvent, session: Folded): boolean {
    const decided = trigger === 'response_complete' ? session.memory.end?.evidence.seq : seq;
    if (decided === undefined) return false;
    // An earlier daemon may have asked: the store has its wake.
    return (
      this.decidingAgents.decides(agent, session, trigger, decided) ||
      this.store.wakes.has(agent.id, session.id, trigger, decisionKey(trigger, decided))
    );
  }

  /** Takes the hook of a Stop or PreCompact, whose event has been committed: it waits for the decision, or is let go. */
  onHook(sessionId: string, delivery: string, hook: WaitingHook): void {
    const seq = this.loop.eventOf(delivery);
    const pending = this.closed ? undefined : this.pending.of(sessionId).find(one => one.seq === seq);
    if (pending) pending.onHook(hook);
    else void hook.respond(null);
  }

  onCommit({ event, payload, changed }: Commit): void {
    for (const { after } of changed)
      if (after.state === 'ended') for (const one of this.pending.of(after.id)) void one.end('gone', null);
    if (event.source !== 'hook' || event.sessionId === null || this.closed) return;
    if (event.name === 'UserPromptSubmit')
      for (const one of this.pending.of(event.sessionId)) void one.end('terminal', null);
    if (!hooks.has(event.name)) return;
    const session = this.loop.sessionIndex.get(event.sessionId);
    const hook = session && this.decidingAgents.of(session).length > 0 ? payload : null;
    const trigger = triggerOf(event.name, hook);
    if (!session || !trigger) return;
    for (const agent of this.decidingAgents.of(session))
      if (this.decidingAgents.decides(agent, session, trigger, event.seq))
        this.begin(agent, session, trigger, event, hook);
  }

  private begin(agent: WakeAgent, session: Folded, trigger: Trigger, event: Event, hook: Hook | null): void {
    const ms = Math.min(agent.settings.answer_seconds * 1_000, limits.clock.longestTimer);
    const pending = event.name === 'PermissionRequest' ? null : this.pending.add(session, event, ms);
    pending?.addAgent();
    const cause = {
      agent: agent.id,
      sessionId: session.id,
      trigger,
      key: decisionKey(trigger, event.seq),
      seq: event.seq,
      at: this.clock.now(),
      continuation: hook?.stop_hook_active === true,
    };
    const fresh = freshWake(cause);
    const wake = changeWake(fresh, { kind: 'begun', bundle: fresh.id, together: 1 });
    this.store.write(() => this.store.wakes.add(wake));
    this.ask(wake, session, agent, pending, ms).catch(error => {
      this.deps.onError(`Could not ask ${agent.id} for a decision`, error);
      pending?.abstain();
    });
  }

  private async ask(
    begun: Wake,
    session: Folded,
    agent: WakeAgent,
    pending: PendingDecision | null,
    ms: number,
  ): Promise<void> {
    const bundle = await buildBundle(begun.id, agent, [begun], {
      sources: this.sources,
      sessionOf: () => session,
      now: () => this.clock.now(),
      mayDrive: this.deps.mayDrive,
      mask: this.deps.mask,
    });
    const { error, answer } = await deliver(agent, bundle, this.deps.delivery, ms);
    if (this.closed) return;
    const [message] = bundle.wakes as [WakeMessage];
    const took = this.clock.now() - begun.at;
    const wake = { ...changeWake(begun, { kind: 'written', source: sourceOf(message) }), duration: took };
    removeDetachedFiles(this.deps.delivery.dir, wake.id);
    if (error !== null) this.onFailure(wake, error, took >= ms, pending);
    else await this.answered(wake, answerIn(answer), pending);
  }

  /** Lets the session continue without a decision. The wake is delivered later if the agent was down, but not if it was too slow. */
  private onFailure(wake: Wake, error: string, slow: boolean, pending: PendingDecision | null): void {
    pending?.abstain();
    if (!pending) this.release(wake);
    if (slow) return this.finish(wake, 'dead', null, `no answer in time, the session continued: ${error}`);
    this.log({ ...wake, status: 'pending', reason: `the session continued: ${error}` }, null);
    const due = this.clock.now() + limits.wake.retryPause;
    const again = changeWake(wake, {
      kind: 'failed',
      due,
      took: wake.duration,
      reason: this.deps.mask(error),
    });
    this.deps.later({ ...again, bundle: null });
  }

  private async answered(wake: Wake, answer: AgentAnswer, pending: PendingDecision | null): Promise<void> {
    if (pending) return this.decideStop(wake, answer, pending);
    const { decision } = answer;
    if (decision === null || decision === 'garbage') {
      this.release(wake);
      return this.finish(wake, 'delivered', null, whyUndecided(answer));
    }
    const reason = 'reason' in answer ? answer.reason : null;
    const given: PermissionAnswer =
      decision === 'allow'
        ? { behavior: 'allow' }
        : { behavior: 'deny', ...(reason !== null && { message: reason }) };
    try {
      await this.awaitHeld(wake);
      await this.deps.answer(wake.sessionId, wake.seq, given);
      this.record(wake, 'answer', given);
      this.finish(wake, 'delivered', given.behavior, reason);
    } catch (error) {
      this.record(wake, 'answer', given, error);
      this.finish(wake, 'delivered', null, `${given.behavior} came too late: ${(error as Error).message}`);
    }
  }

  private async decideStop(wake: Wake, answer: AgentAnswer, pending: PendingDecision): Promise<void> {
    if (answer.decision !== 'block' || answer.reason === null) {
      pending.abstain();
      return this.finish(wake, 'delivered', null, whyUndecided(answer));
    }
    const output = JSON.stringify({ decision: 'block', reason: answer.reason });
    if (!(await pending.decide(output))) {
      pending.abstain();
      return this.finish(
        wake,
        'delivered',
        null,
        `block came too late: ${endReasons[pending.endedBy ?? 'gone']}`,
      );
    }
    this.record(wake, 'block', { message: answer.reason });
    this.blocks.count(wake.agent, wake.trigger === 'pre_compact' ? null : wake.sessionId, this.clock.now());
    this.finish(wake, 'delivered', 'block', `${blocked}${answer.reason}`);
  }

  private record(wake: Wake, action: string, given: Partial<PermissionAnswer>, error?: unknown): void {
    this.deps.record({
      action,
      caller: { kind: 'agent', name: wake.agent, session: null },
      session: wake.sessionId,
      at: this.clock.now(),
      requestId: wake.seq,
      text: [given.behavior, given.message].filter(Boolean).join(': '),
      error,
    });
  }

  private finish(
    wake: Wake,
    kind: 'delivered' | 'dead',
    decision: string | null,
    reason: string | null,
  ): void {
    const masked = reason && this.deps.mask(reason);
    const finished = changeWake(wake, { kind, at: this.clock.now(), took: wake.duration, reason: masked });
    this.store.write(() => this.store.wakes.save(finished));
    this.log(finished, decision);
  }

  private log(wake: Wake, decision: string | null): void {
    this.loop
      .append([{ draft: draftOfWake(wake, { mode: 'bidirectional', decision }) }])
      .catch(error => this.deps.onError('Could not log an answer', error));
  }

  /** Leaves a request that nobody decided to the terminal. */
  private release({ sessionId, seq }: Wake): void {
    this.deps.answer(sessionId, seq, null).catch(() => {});
  }

  /** Waits for the hook of a request, which comes just after its event. */
  private async awaitHeld({ sessionId, seq }: Wake): Promise<void> {
    const holds = () => this.loop.sessionIndex.get(sessionId)?.memory.holds ?? [];
    await this.loop.until(() => holds().find(({ id }) => id === seq), {
      timeout: limits.approvals.hookConnectTimeout,
    });
  }
}

const hooks = new Set(['Stop', 'PreCompact', 'PermissionRequest']);
