/**
 * Telling agents. What the outbox holds goes out at once, one delivery at a time for each agent; it is looked at again in
 * that moment, and what is no longer so is dropped and counted. A failure is tried again, then it is a dead letter. What
 * became of each wake stands in the store and in the log.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Draft } from '../../contract/event.ts';
import type { Wake, WakeAgent, WakeBundle } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import type { Commit, Loop } from '../../live/loop.ts';
import { Retries } from '../../live/retries.ts';
import type { Folded } from '../../session/memory.ts';
import type { Store } from '../../store/store.ts';
import { captureOf } from '../../tmux/server/capture.ts';
import { busyAgent, isItself } from '../registry/agent-session.ts';
import type { ContentSources } from '../message/content.ts';
import {
  type DeliveryResult,
  deliver,
  earlierResult,
  usesProgram,
  type DeliveryDeps,
} from '../deliver/deliver.ts';
import { unrecordedDeliveries, removeDetachedFiles } from '../deliver/detached-process.ts';
import { AgentQueue } from './agent-queue.ts';
import { Outbox, type Rules, unresolved } from './outbox.ts';
import { buildBundle } from '../message/bundle.ts';
import { wakeDraft } from './record.ts';
import type { Registry } from '../registry/registry.ts';
import { storeSources } from '../message/sources.ts';
import { type Occasion, stillStands } from './triggers.ts';

export interface Surroundings extends DeliveryDeps {
  isFinal: Rules['isFinal'];
  /** The agent waits with the hook for an answer, and is told there. */
  isAnswering: Rules['isSpared'];
  /** Programs may type into this session. */
  mayDrive: (session: Folded) => boolean;
  mask: (text: string) => string;
  onError: (message: string, error: unknown) => void;
}

export class Wakes {
  readonly name = 'wakes';
  private readonly outbox: Outbox;
  private readonly sources: ContentSources;
  private readonly lines = new Map<string, AgentQueue>();
  private started = false;
  private closed = false;

  constructor(
    private readonly loop: Loop,
    private readonly store: Store,
    readonly registry: Registry,
    private readonly clock: Clock,
    private readonly world: Surroundings,
  ) {
    this.sources = storeSources(store);
    const rules = {
      isFinal: world.isFinal,
      isSpared: (agent: WakeAgent, occasion: Occasion, session: Folded) =>
        isItself(agent, session, loop.sessionIndex) || world.isAnswering(agent, occasion, session),
    };
    this.outbox = new Outbox(store, registry, clock, rules, this.sources, new Retries(world.onError));
    loop.addProjection({ name: 'outbox', onCommit: commit => this.outbox.keep(commit) });
  }

  /** Takes up what an earlier daemon left, and what was heard since: until then all of it waits in the store. */
  start(): void {
    this.started = true;
    this.store.write(() => this.store.wakes.removeBefore(this.clock.now() - limits.wake.age));
    const kept = unrecordedDeliveries(this.world.dir);
    const begun = new Map<string, Wake[]>();
    for (const wake of this.store.wakes.open()) {
      const parcel = parcelOf(wake, kept);
      if (parcel !== null) begun.set(parcel, [...(begun.get(parcel) ?? []), wake]);
      else this.enqueue(wake);
    }
    for (const [parcel, wakes] of begun)
      this.takeUp(parcel, wakes).catch(error =>
        this.world.onError('a delivery could not be taken up', error),
      );
    for (const parcel of kept.keys()) if (!begun.has(parcel)) removeDetachedFiles(this.world.dir, parcel);
    for (const agent of this.lines.keys()) this.pump(agent);
  }

  close(): void {
    this.closed = true;
    for (const line of this.lines.values()) line.unwind();
  }

  /** Takes a wake over that could not be told otherwise. */
  adopt(wake: Wake): void {
    this.outbox.save([wake]);
    if (!this.started) return;
    this.enqueue(wake);
    this.pump(wake.agent);
  }

  /** How many wakes wait for an agent, and how many are withheld. */
  waiting(agent: string): { pending: number; withheld: number } {
    const line = this.lines.get(agent);
    const withheld = line?.withheld() ?? 0;
    return { pending: (line?.wakes.length ?? 0) - withheld, withheld };
  }

  /** Sends a message that says that it is a test. */
  async test(agent: WakeAgent): Promise<DeliveryResult> {
    const parcel = { format: 2 as const, id: randomUUID(), agent_id: agent.id, digest: false, wakes: [] };
    return deliver(agent, { ...parcel, test: true }, this.world);
  }

  onCommit(commit: Commit): void {
    const touched = new Set<string>();
    const added = this.outbox.taken(commit);
    this.note(added.filter(({ status }) => status === 'withheld'));
    if (!this.started) return;
    for (const wake of added) {
      this.enqueue(wake);
      touched.add(wake.agent);
    }
    for (const [agent, { blockedOn }] of this.lines)
      if (blockedOn !== null && commit.changed.some(({ after }) => after.id === blockedOn))
        touched.add(agent);
    for (const agent of touched) this.pump(agent);
  }

  private enqueue(wake: Wake): void {
    this.line(wake.agent).add(wake, this.clock.now());
  }

  private line(agent: string): AgentQueue {
    const line = this.lines.get(agent) ?? new AgentQueue();
    this.lines.set(agent, line);
    return line;
  }

  /** Delivers what waits for an agent, as far as it can be now. */
  private pump(agent: string): void {
    const line = this.line(agent);
    if (line.busy || this.closed || line.wakes.length === 0) return;
    const wait = agent === unresolved ? 0 : line.wait(this.clock.now());
    if (wait > 0) return line.wind(wait, () => this.pump(agent));
    line.busy = true;
    const work = agent === unresolved ? this.resolve(line) : this.send(agent, line);
    work
      .catch(error => {
        this.world.onError(`wakes for ${agent} failed`, error);
        // Not again at once: whatever it was would go round in circles.
        for (const wake of line.wakes) wake.due = this.clock.now() + limits.wake.retryPause;
      })
      .finally(() => {
        line.busy = false;
        if (line.blockedOn === null) this.pump(agent);
      })
      .catch(error => this.world.onError(`wakes for ${agent} failed`, error));
  }

  /** Asks tmux for the names of panes that are too new to be known. */
  private async resolve(line: AgentQueue): Promise<void> {
    for (const wake of line.wakes.slice()) {
      const pane = this.loop.sessionIndex.get(wake.sessionId)?.pane;
      const name = pane?.session === null ? (await captureOf(pane, 0))?.session : undefined;
      // As the look at all panes would tell it, a moment later.
      if (name) await this.loop.take([{ draft: paneSeen(wake.sessionId, name, this.clock.now()) }]);
      const found = this.outbox.resolve(wake, this.loop.sessionIndex.get(wake.sessionId) ?? null);
      line.remove([wake]);
      for (const one of found) this.enqueue(one);
      this.note(found.filter(({ status }) => status === 'withheld'));
      for (const one of found) this.pump(one.agent);
    }
  }

  private async send(id: string, line: AgentQueue): Promise<void> {
    const agent = this.registry.agent(id);
    const now = this.clock.now();
    if (!agent || agent.inactive !== null) {
      this.finish(
        line,
        line.wakes,
        'dropped',
        agent ? `the agent is ${agent.inactive}` : 'the agent is gone',
      );
      return;
    }
    line.blockedOn = busyAgent(agent, this.loop.sessionIndex);
    if (line.blockedOn !== null) return;
    const stale = line.wakes.filter(wake => !this.stands(wake));
    this.finish(line, stale, 'dropped', 'no longer so: answered, or gone on, before it could be told');
    const wakes = line.wakes.slice();
    if (wakes.length === 0) return;
    const parcel = await this.pack(agent, wakes);
    for (const wake of wakes)
      Object.assign(wake, {
        status: 'sending',
        parcel: parcel.id,
        tries: wake.tries + 1,
        together: wakes.length,
      });
    line.begin(now);
    // A program leaves a trace of its start before this is durable; what leaves none is noted first.
    if (!usesProgram(agent)) this.saveBegun(wakes);
    const delivery = deliver(agent, parcel, this.world);
    if (usesProgram(agent)) this.outbox.save(wakes);
    this.settle(line, wakes, await delivery, now);
  }

  /** Wakes that cannot be noted as begun are not begun. */
  private saveBegun(wakes: Wake[]): void {
    try {
      this.outbox.saveNow(wakes);
    } catch (error) {
      for (const wake of wakes) Object.assign(wake, { status: 'pending', tries: wake.tries - 1 });
      throw error;
    }
  }

  /** A delivery that was under way when the last daemon went. */
  private async takeUp(parcel: string, wakes: Wake[]): Promise<void> {
    const [{ agent }] = wakes as [Wake];
    const line = this.line(agent);
    for (const wake of wakes) {
      if (wake.status === 'pending')
        Object.assign(wake, { status: 'sending', parcel, tries: wake.tries + 1 });
      line.add(wake, this.clock.now());
    }
    line.busy = true;
    try {
      const before = await earlierResult(this.registry.agent(agent), parcel, this.world).catch(() => null);
      // What never began counts for nothing.
      if (before) this.settle(line, wakes, before, this.clock.now());
      else for (const wake of wakes) Object.assign(wake, { status: 'pending', tries: wake.tries - 1 });
    } finally {
      line.busy = false;
      this.pump(agent);
    }
  }

  private settle(line: AgentQueue, wakes: Wake[], { error }: DeliveryResult, began: number): void {
    // Whoever comes next finds out how it ended.
    if (this.closed) return;
    const now = this.clock.now();
    for (const wake of wakes) wake.duration = now - began;
    this.conclude(line, wakes, error, now);
    for (const parcel of new Set(wakes.flatMap(({ parcel }) => parcel ?? [])))
      removeDetachedFiles(this.world.dir, parcel);
  }

  private conclude(line: AgentQueue, wakes: Wake[], error: string | null, now: number): void {
    if (error === null) return this.finish(line, wakes, 'delivered', null);
    const dead = wakes.filter(({ tries }) => tries >= limits.wake.attempts);
    this.finish(line, dead, 'dead', error);
    const again = wakes.filter(wake => !dead.includes(wake));
    for (const wake of again)
      Object.assign(wake, {
        status: 'pending',
        due: now + limits.wake.retryPause * 2 ** (wake.tries - 1),
        reason: this.world.mask(error),
      });
    this.outbox.save(again);
  }

  private finish(line: AgentQueue, wakes: Wake[], status: Wake['status'], reason: string | null): void {
    if (wakes.length === 0 || this.closed) return;
    const doneAt = this.clock.now();
    for (const wake of wakes)
      Object.assign(wake, { status, doneAt, reason: reason && this.world.mask(reason) });
    this.outbox.save(wakes);
    line.remove(wakes);
    this.note(wakes);
  }

  private note(wakes: Wake[]): void {
    if (wakes.length === 0) return;
    const drafts = wakes
      .filter(({ sessionId }) => this.loop.sessionIndex.get(sessionId))
      .map(wake => wakeDraft(wake));
    this.loop.record(drafts);
  }

  private stands(wake: Wake): boolean {
    return stillStands(wake, this.loop.sessionIndex.get(wake.sessionId), this.sources.payloadAt);
  }

  private pack(agent: WakeAgent, wakes: Wake[]): Promise<WakeBundle> {
    // The same try has the same name, also for a daemon that comes after this one.
    const [first] = wakes as [Wake];
    return buildBundle(`${first.id}-${first.tries + 1}`, agent, wakes, {
      sources: this.sources,
      sessionOf: id => this.loop.sessionIndex.get(id),
      now: () => this.clock.now(),
      mayDrive: this.world.mayDrive,
      mask: this.world.mask,
    });
  }
}

/** The delivery that a wake was last part of, if its end is not noted. */
const parcelOf = ({ id, status, parcel }: Wake, kept: Map<string, string[]>): string | null => {
  if (status === 'sending') return parcel;
  for (const [name, wakes] of kept) if (wakes.includes(id)) return name;
  return null;
};

const paneSeen = (sessionId: string, session: string, at: number): Draft => ({
  at,
  source: 'sweep',
  name: 'PaneSeen',
  sessionId,
  context: {},
  raw: Buffer.from(JSON.stringify({ session_id: sessionId, session })),
});
