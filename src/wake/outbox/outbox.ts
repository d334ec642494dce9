/**
 * What is to be told, durable from the moment in which it happened: a wake is written in the transaction of the event that
 * fired it. It is known by agent, session, trigger and turn or tool call, so the same thing told twice is one wake.
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
import { bounded, hopsAfter, isTyped } from './hops.ts';
import { isEligible, type Registry } from '../registry/registry.ts';
import { promptOfTurn } from '../message/sources.ts';
import { type Occasion, occasionsOf } from './triggers.ts';

/** A wake whose agents are not known yet, because tmux has still to say how the session's pane is called. */
export const unresolved = '';

export interface Rules {
  /** Nobody else can make this session go on after its Stop. */
  isFinal: (session: Folded) => boolean;
  /** The agent is told by other means than the outbox, or is the session itself. */
  isSpared: (agent: WakeAgent, occasion: Occasion, session: Folded) => boolean;
}

export class Outbox {
  /** What an open transaction has added, by its event. */
  private readonly fresh = new Map<number, Wake[]>();

  constructor(
    private readonly store: Store,
    private readonly registry: Registry,
    private readonly clock: Clock,
    private readonly rules: Rules,
    private readonly sources: ContentSources,
    private readonly retries: Retries,
  ) {}

  /** Inside the event's transaction. */
  keep(commit: Commit): void {
    const { event, payload } = commit;
    this.fresh.delete(event.seq);
    for (const { before, after } of commit.changed)
      if (after.state === 'ended' && before?.state !== 'ended') this.store.wakes.dropCapture(after.id);
    if (!mayMatter(commit) || !this.registry.read().agents.some(({ inactive }) => inactive === null)) return;
    const payloadAt = (seq: number) => (seq === event.seq ? payload : this.sources.payloadAt(seq));
    const added = occasionsOf(
      commit,
      payloadAt,
      session => this.isWatched(session) && this.rules.isFinal(session),
    )
      .flatMap(({ session, occasion }) => this.wakesOf(session, occasion))
      .filter(wake => this.store.wakes.add(wake));
    if (added.length) this.fresh.set(event.seq, added);
  }

  /** What the event's transaction has added, once it is committed. */
  taken({ event }: Commit): Wake[] {
    const added = this.fresh.get(event.seq) ?? [];
    this.fresh.delete(event.seq);
    return added;
  }

  /** The same wake for each agent that watches, now that the name of its pane is known. */
  resolve(wake: Wake, session: Folded | null): Wake[] {
    return this.store.write(() => {
      this.store.wakes.remove(wake.id);
      return (session ? this.agentsOf(session, wake) : [])
        .map(agent => this.wakeFor(agent, { ...wake, id: randomUUID(), agent: agent.id }))
        .filter(one => this.store.wakes.add(one));
    });
  }

  /** Keeps wakes as they are now; while the store fails it is tried again. */
  save(wakes: Wake[]): void {
    for (const wake of wakes) this.retries.write(`wake ${wake.id}`, () => this.saveNow([wake]));
  }

  /** Keeps wakes as they are now, or throws: they may not be delivered then. */
  saveNow(wakes: Wake[]): void {
    this.store.write(() => {
      for (const wake of wakes) this.store.wakes.save(wake);
    });
  }

  private isWatched(session: Folded): boolean {
    return isUnnamed(session) || this.registry.agentsOf(session).length > 0;
  }

  private wakesOf(session: Folded, occasion: Occasion): Wake[] {
    const cause = { ...occasion, sessionId: session.id, at: this.clock.now() };
    if (isUnnamed(session)) return [freshWake({ ...cause, agent: unresolved })];
    return this.agentsOf(session, occasion).map(agent =>
      this.wakeFor(agent, freshWake({ ...cause, agent: agent.id })),
    );
  }

  /** Only what is typed into a session can go in circles. */
  private wakeFor(agent: WakeAgent, wake: Wake): Wake {
    if (!isTyped(agent)) return wake;
    const hops = hopsAfter(promptOfTurn(this.store, wake.sessionId));
    return bounded({ ...wake, hops }, agent, this.clock.now());
  }

  private agentsOf(session: Folded, occasion: Occasion): WakeAgent[] {
    return this.registry
      .agentsOf(session)
      .filter(
        agent => agent.settings.triggers[occasion.trigger] && !this.rules.isSpared(agent, occasion, session),
      );
  }
}

/** Nobody has looked at its pane yet. */
const isUnnamed = (session: Folded): boolean => isEligible(session) && session.pane.session === null;

/** Most events change nothing that anyone is told of: no payload is read for them, and no file looked at. */
const mayMatter = ({ event, changed }: Commit): boolean =>
  (event.source === 'hook' && telling.has(event.name)) ||
  changed.some(
    ({ before, after }) =>
      before?.state !== after.state ||
      before.reason !== after.reason ||
      before.memory.asks !== after.memory.asks,
  );

const telling = new Set(['Stop', 'PreCompact', 'Notification', 'PostToolUse']);
