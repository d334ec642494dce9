/**
 * Delivers wakes to agents: at once, one delivery at a time for each agent. A wake that no longer applies by then is dropped
 * and counted. A failed delivery is tried again, then the wake is a dead letter. The store and the log have what became of
 * each wake.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Draft } from '../../contract/event.ts';
import type { Wake, WakeAgent, WakeBundle } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import { DeliveryQueue } from '../../live/delivery-queue.ts';
import type { Commit, Loop, View } from '../../live/loop.ts';
import { Retries } from '../../live/retries.ts';
import type { Folded } from '../../session/memory.ts';
import type { Store } from '../../store/store.ts';
import { eventFrom } from '../../session/own-event.ts';
import { capturePane } from '../../tmux/server/capture.ts';
import { busySessionOf, isItself } from '../registry/agent-session.ts';
import type { ContentSources } from '../message/content.ts';
import {
  type DeliveryResult,
  deliver,
  earlierResult,
  usesProgram,
  type DeliveryDeps,
} from '../deliver/deliver.ts';
import { unrecordedDeliveries, removeDetachedFiles } from '../deliver/detached-process.ts';
import { AgentPace } from './agent-pace.ts';
import { CountWait } from './count-wait.ts';
import { OpenWakes } from './open-wakes.ts';
import { Outbox, type Rules, unresolved } from './outbox.ts';
import { buildBundle, sourceOf } from '../message/bundle.ts';
import { isOvertaken } from './overtaken.ts';
import type { Registry } from '../registry/registry.ts';
import { storeSources } from '../message/sources.ts';
import { type TriggerEvent, stillApplies } from './triggers.ts';
import { changeWake } from './wake-change.ts';
import { WakeResults } from './wake-results.ts';

export interface WakeDeps extends DeliveryDeps {
  isFinal: Rules['isFinal'];
  /** The agent is asked for a decision while the hook waits, and learns of it there. */
  isDeciding: Rules['isExcluded'];
  /** Programs may type into this session. */
  mayDrive: (session: Folded) => boolean;
  mask: (text: string) => string;
  onError: (message: string, error: unknown) => void;
}

export class Wakes {
  readonly name = 'wakes';
  /** Adds the wakes of an event, in its transaction. */
  readonly projection: View = { name: 'outbox', onCommit: commit => this.outbox.project(commit) };
  private readonly outbox: Outbox;
  private readonly sources: ContentSources;
  private readonly open = new OpenWakes();
  /** The ids of the wakes to be delivered, by agent. */
  private readonly queue: DeliveryQueue<string>;
  private readonly results: WakeResults;
  private readonly paces = new Map<string, AgentPace>();
  private readonly counts = new CountWait();
  private started = false;

  constructor(
    private readonly loop: Loop,
    private readonly store: Store,
    readonly registry: Registry,
    private readonly clock: Clock,
    private readonly deps: WakeDeps,
  ) {
    this.sources = storeSources(store);
    const rules = {
      isFinal: deps.isFinal,
      isExcluded: (agent: WakeAgent, triggerEvent: TriggerEvent, session: Folded) =>
        isItself(agent, session, loop.sessionIndex) || deps.isDeciding(agent, triggerEvent, session),
    };
    this.outbox = new Outbox(store, registry, clock, rules, this.sources, new Retries(deps.onError));
    this.queue = new DeliveryQueue(
      {
        delay: agent => this.delay(agent, this.waitingFor(agent)),
        deliver: agent => (agent === unresolved ? this.resolve() : this.send(agent)),
        failed: (agent, ids, error) => this.failed(agent, ids, error),
      },
      clock,
    );
    const { outbox, open, queue } = this;
    this.results = new WakeResults({ loop, clock, outbox, open, queue, ...deps });
  }

  /** Continues with the wakes in the store: those of an earlier daemon, and those since this one started. */
  start(): void {
    this.started = true;
    this.store.write(() => this.store.wakes.removeBefore(this.clock.now() - limits.wake.age));
    const unrecorded = unrecordedDeliveries(this.deps.dir);
    const begun = new Map<string, Wake[]>();
    for (const wake of this.store.wakes.open()) {
      const bundle = bundleOf(wake, unrecorded);
      if (bundle !== null) begun.set(bundle, [...(begun.get(bundle) ?? []), wake]);
      else this.enqueue(wake);
    }
    for (const [bundle, wakes] of begun)
      this.recover(bundle, wakes).catch(error => this.deps.onError('Could not recover a delivery', error));
    for (const bundle of unrecorded.keys())
      if (!begun.has(bundle)) removeDetachedFiles(this.deps.dir, bundle);
    for (const agent of this.queue.keys()) this.queue.wake(agent);
  }

  close(): void {
    this.results.close();
    this.queue.close();
  }

  /** Adds a wake that could not be delivered in another way. */
  adopt(wake: Wake): void {
    this.outbox.save([wake]);
    if (!this.started) return;
    this.enqueue(wake);
    this.queue.wake(wake.agent);
  }

  /** How many wakes wait for an agent, and how many are withheld. */
  waiting(agent: string): { pending: number; withheld: number } {
    const wakes = this.waitingFor(agent);
    const withheld = wakes.filter(({ status }) => status === 'withheld').length;
    return { pending: wakes.length - withheld, withheld };
  }

  /** Sends a message that is marked as a test. */
  async test(agent: WakeAgent): Promise<DeliveryResult> {
    const bundle = { format: 2 as const, id: randomUUID(), agent_id: agent.id, digest: false, wakes: [] };
    return deliver(agent, { ...bundle, test: true }, this.deps);
  }

  onCommit(commit: Commit): void {
    const touched = new Set<string>();
    const added = this.outbox.takeAdded(commit);
    this.results.log(added.filter(({ status }) => status === 'withheld'));
    if (!this.started) return;
    for (const wake of added) {
      this.enqueue(wake);
      touched.add(wake.agent);
    }
    for (const [agent, { blockedOn }] of this.paces)
      if (blockedOn !== null && commit.changed.some(({ after }) => after.id === blockedOn))
        touched.add(agent);
    const { event } = commit;
    if (this.counts.onEvent(event))
      for (const agent of this.queue.keys())
        if (this.waitingFor(agent).some(({ sessionId }) => sessionId === event.sessionId)) touched.add(agent);
    for (const agent of touched) this.queue.wake(agent);
  }

  private enqueue(wake: Wake): void {
    this.pace(wake.agent).onAdded(this.clock.now(), this.queue.items(wake.agent).length === 0);
    this.open.add(wake);
    this.queue.add(wake.agent, wake.id);
  }

  /** The wakes in the queue of an agent. */
  private waitingFor(agent: string): Wake[] {
    return this.open.named(this.queue.items(agent));
  }

  private pace(agent: string): AgentPace {
    const pace = this.paces.get(agent) ?? new AgentPace();
    this.paces.set(agent, pace);
    return pace;
  }

  private delay(id: string, wakes: readonly Wake[]): number | null {
    const now = this.clock.now();
    if (id === unresolved) return Math.max(0, Math.max(...wakes.map(({ due }) => due)) - now);
    const pace = this.pace(id);
    const delay = Math.max(
      pace.delay(wakes, now),
      this.counts.delay(wakes, one => this.loop.sessionIndex.get(one), now),
    );
    if (delay > 0) return delay;
    const agent = this.registry.agent(id);
    pace.blockedOn = agent?.inactive === null ? busySessionOf(agent, this.loop.sessionIndex) : null;
    return pace.blockedOn === null ? 0 : null;
  }

  private failed(agent: string, ids: readonly string[], error: unknown): void {
    this.deps.onError(`Could not deliver wakes to ${agent}`, error);
    // Not retried at once: the same error would repeat for ever.
    this.open.change(ids, { kind: 'postponed', due: this.clock.now() + limits.wake.retryPause });
  }

  /** Asks tmux for the names of panes that are too new to be known. */
  private async resolve(): Promise<void> {
    for (const wake of this.waitingFor(unresolved)) {
      const pane = this.loop.sessionIndex.get(wake.sessionId)?.pane;
      const name = pane?.session === null ? (await capturePane(pane, 0))?.session : undefined;
      // The next sweep over all panes would report the same, a moment later.
      if (name) await this.loop.append([{ draft: paneSeen(wake.sessionId, name, this.clock.now()) }]);
      const found = this.outbox.resolve(wake, this.loop.sessionIndex.get(wake.sessionId) ?? null);
      this.queue.remove(unresolved, [wake.id]);
      this.open.remove(wake.id);
      for (const one of found) this.enqueue(one);
      this.results.log(found.filter(({ status }) => status === 'withheld'));
      for (const one of found) this.queue.wake(one.agent);
    }
  }

  private async send(id: string): Promise<void> {
    const agent = this.registry.agent(id);
    const now = this.clock.now();
    if (!agent || agent.inactive !== null) {
      const reason = agent ? `the agent is ${agent.inactive}` : 'the agent was removed';
      this.results.drop(this.waitingFor(id), reason);
      return;
    }
    const stale = this.waitingFor(id).filter(wake => !this.stillApplies(wake));
    this.results.drop(stale, 'outdated: answered or continued before it could be delivered');
    const waiting = this.waitingFor(id);
    if (waiting.length === 0) return;
    const bundle = await this.bundle(agent, waiting);
    const wakes = this.begin(waiting, bundle);
    this.pace(id).begin(now);
    // A program writes its pid file when it starts, so its wakes need not be durable first. All others must.
    if (!usesProgram(agent)) this.results.saveBegun(wakes);
    const delivery = deliver(agent, bundle, this.deps);
    if (usesProgram(agent)) this.outbox.save(wakes);
    this.results.settle(wakes, await delivery, now);
  }

  /** Marks wakes as being sent in this bundle. */
  private begin(wakes: Wake[], { id: bundle, wakes: messages }: WakeBundle): Wake[] {
    const together = wakes.length;
    return wakes.flatMap(({ id }, at) => {
      const message = messages[at];
      if (message) this.open.change([id], { kind: 'written', source: sourceOf(message) });
      return this.open.change([id], { kind: 'begun', bundle, together });
    });
  }

  /** Finds out the result of a delivery that was in progress when the last daemon stopped. */
  private async recover(bundle: string, found: Wake[]): Promise<void> {
    const [{ agent }] = found as [Wake];
    // Their program was started, but the daemon was killed before this was durable.
    const isSaved = ({ status }: Wake) => status !== 'pending';
    const wakes = found.map(wake =>
      isSaved(wake) ? wake : changeWake(wake, { kind: 'begun', bundle, together: wake.together }),
    );
    const unsaved = wakes.filter((_, at) => !isSaved(found[at] as Wake));
    if (unsaved.length > 0) this.outbox.save(unsaved);
    for (const wake of wakes) this.enqueue(wake);
    const release = await this.queue.reserve(agent, limits.wake.age);
    if (!release) return;
    try {
      const result = await earlierResult(this.registry.agent(agent), bundle, this.deps).catch(() => null);
      if (result) this.results.settle(wakes, result, this.clock.now());
      else
        this.open.change(
          wakes.map(({ id }) => id),
          { kind: 'undone' },
        );
    } finally {
      release();
    }
  }

  private stillApplies(wake: Wake): boolean {
    const session = this.loop.sessionIndex.get(wake.sessionId);
    // Drop an outdated wake of a loop between sessions that wake each other.
    if (session && wake.status === 'withheld' && isOvertaken(wake, session)) return false;
    return stillApplies(wake, session, this.sources.payloadAt);
  }

  private bundle(agent: WakeAgent, wakes: Wake[]): Promise<WakeBundle> {
    // The same attempt has the same name, also for the next daemon.
    const [first] = wakes as [Wake];
    return buildBundle(`${first.id}-${first.tries + 1}`, agent, wakes, {
      sources: this.sources,
      sessionOf: id => this.loop.sessionIndex.get(id),
      now: () => this.clock.now(),
      mayDrive: this.deps.mayDrive,
      mask: this.deps.mask,
    });
  }
}

/** The delivery that a wake was last part of, if its result is not recorded. */
const bundleOf = ({ id, status, bundle }: Wake, unrecorded: Map<string, string[]>): string | null => {
  if (status === 'sending') return bundle;
  for (const [name, wakes] of unrecorded) if (wakes.includes(id)) return name;
  return null;
};

const paneSeen = (sessionId: string, session: string, at: number): Draft =>
  eventFrom('sweep', 'PaneSeen', sessionId, at, { session });
