/**
 * Wakes to be delivered. A wake is written in the transaction of its trigger event. It is identified by agent, session,
 * trigger, and turn or tool call, so two reports of the same event are one wake.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Wake, WakeAgent } from '../../contract/wake.ts';
import type { Commit } from '../../live/loop.ts';
import type { Retries } from '../../live/retries.ts';
import type { Folded } from '../../session/memory.ts';
import type { Store } from '../../store/store.ts';
import type { ContentSources } from '../message/content.ts';
import { freshWake } from './fresh-wake.ts';
import { withholdLoop, hopsAfter, isSessionAgent } from './hops.ts';
import { isEligible, type Registry } from '../registry/registry.ts';
import { promptOfTurn } from '../message/sources.ts';
import { type TriggerEvent, triggerEventsOf } from './triggers.ts';

/** The agent of a wake whose agents are not known yet, because the name of the tmux session has not been read. */
export const unresolved = '';

export interface Rules {
  /** No other hook can continue this session after its Stop. */
  isFinal: (session: Folded) => boolean;
  /** The agent is notified in another way, or is the session itself. */
  isExcluded: (agent: WakeAgent, triggerEvent: TriggerEvent, session: Folded) => boolean;
}

export class Outbox {
  /** The wakes that an open transaction has added, by event. */
  private readonly fresh = new Map<number, Wake[]>();

  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly clock: Clock,
    private readonly rules: Rules,
    private readonly sources: ContentSources,
    private readonly retries: Retries,
  ) {}

  /** Adds the wakes of an event, inside its transaction. */
  project(commit: Commit): void {
    const { event, payload } = commit;
    this.fresh.delete(event.seq);
    for (const { before, after } of commit.changed)
      if (after.state === 'ended' && before?.state !== 'ended') this.store.wakes.dropCapture(after.id);
    if (!mayMatter(commit) || !this.registry.read().agents.some(({ inactive }) => inactive === null)) return;
    const payloadAt = (seq: number) => (seq === event.seq ? payload : this.sources.payloadAt(seq));
    const added = triggerEventsOf(
      commit,
      payloadAt,
      session => this.isWatched(session) && this.rules.isFinal(session),
    )
      .flatMap(({ session, triggerEvent }) => this.wakesOf(session, triggerEvent))
      .filter(wake => this.store.wakes.add(wake));
    if (added.length) this.fresh.set(event.seq, added);
  }

  /** Takes the wakes that the transaction of a committed event has added. */
  takeAdded({ event }: Commit): Wake[] {
    const added = this.fresh.get(event.seq) ?? [];
    this.fresh.delete(event.seq);
    return added;
  }

  /** Replaces a wake by one for each agent, once the name of its pane is known. */
  resolve(wake: Wake, session: Folded | null): Wake[] {
    return this.store.write(() => {
      this.store.wakes.remove(wake.id);
      return (session ? this.agentsOf(session, wake) : [])
        .map(agent => this.wakeFor(agent, { ...wake, id: randomUUID(), agent: agent.id }))
        .filter(one => this.store.wakes.add(one));
    });
  }

  /** Saves wakes; retries while the store fails. */
  save(wakes: Wake[]): void {
    for (const wake of wakes) this.retries.write(nameOf(wake), () => this.saveNow([wake]));
  }

  /** Saves wakes, or throws: they must not be delivered then. */
  saveNow(wakes: Wake[]): void {
    this.store.write(() => {
      for (const wake of wakes) this.store.wakes.save(wake);
    });
    // An older state that still waits must not replace this one.
    for (const wake of wakes) this.retries.cancel(nameOf(wake));
  }

  private isWatched(session: Folded): boolean {
    return isUnnamed(session) || this.registry.agentsOf(session).length > 0;
  }

  private wakesOf(session: Folded, triggerEvent: TriggerEvent): Wake[] {
    const cause = { ...triggerEvent, sessionId: session.id, at: this.clock.now() };
    if (isUnnamed(session)) return [freshWake({ ...cause, agent: unresolved })];
    return this.agentsOf(session, triggerEvent).map(agent =>
      this.wakeFor(agent, freshWake({ ...cause, agent: agent.id })),
    );
  }

  /** Only wakes that are typed into a session can cause a loop. */
  private wakeFor(agent: WakeAgent, wake: Wake): Wake {
    if (!isSessionAgent(agent)) return wake;
    const hops = hopsAfter(promptOfTurn(this.store, wake.sessionId));
    return withholdLoop({ ...wake, hops }, agent, this.clock.now());
  }

  private agentsOf(session: Folded, triggerEvent: TriggerEvent): WakeAgent[] {
    return this.registry
      .agentsOf(session)
      .filter(
        agent =>
          agent.settings.triggers[triggerEvent.trigger] &&
          (agent.settings.wake_on_continuation || !triggerEvent.continuation) &&
          !this.rules.isExcluded(agent, triggerEvent, session),
      );
  }
}

const nameOf = ({ id }: Wake): string => `wake ${id}`;

/** The name of its pane is not known yet. */
const isUnnamed = (session: Folded): boolean => isEligible(session) && session.pane.session === null;

/** Filters out most events cheaply, without reading a payload or a file. */
const mayMatter = ({ event, changed }: Commit): boolean =>
  (event.source === 'hook' && triggerHooks.has(event.name)) ||
  changed.some(
    ({ before, after }) =>
      before?.state !== after.state ||
      before.reason !== after.reason ||
      before.memory.requests !== after.memory.requests,
  );

const triggerHooks = new Set(['Stop', 'PreCompact', 'Notification', 'PostToolUse']);
