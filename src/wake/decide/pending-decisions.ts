/** The pending decisions of all sessions: at most one for each hook of a session, the newest. */
import type { Clock } from '../../clock.ts';
import type { Event } from '../../contract/event.ts';
import type { Folded } from '../../session/memory.ts';
import { PendingDecision } from './pending-decision.ts';

export class PendingDecisions {
  private readonly open = new Map<string, PendingDecision>();

  constructor(private readonly clock: Clock) {}

  /** Opens the decision of this event; it is the same one for every agent. */
  add(session: Folded, event: Event, ms: number): PendingDecision {
    const key = keyOf(session.id, event.name);
    const before = this.open.get(key);
    if (before?.seq === event.seq) return before;
    void before?.end('gone', null);
    const { name, seq, at } = event;
    const pending = new PendingDecision(session.id, name, seq, at, session.transcript, ms, this.clock);
    if (this.open.size >= maxKept) this.removeEnded();
    this.open.set(key, pending);
    return pending;
  }

  /** The decisions of a session that have not ended. */
  of(sessionId: string): PendingDecision[] {
    return [...this.open.values()].filter(
      pending => pending.sessionId === sessionId && pending.endedBy === null,
    );
  }

  endAll(): void {
    for (const pending of this.open.values()) void pending.end('gone', null);
  }

  private removeEnded(): void {
    for (const [key, { endedBy }] of this.open) if (endedBy !== null) this.open.delete(key);
  }
}

const maxKept = 1_000;

const keyOf = (sessionId: string, hook: string): string => `${hook} ${sessionId}`;
