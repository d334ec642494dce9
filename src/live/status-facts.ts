/** Records what a status line newly says of its session: the effort, and the quotas of its account. */
import { limits } from '../limits.ts';
import type { Commit, Loop } from './loop.ts';
import { ownEvent } from '../session/own-event.ts';
import { factsOf, hasNewFacts, type StatusLineFacts, statusLineReadName } from '../session/limit/quota.ts';

export class StatusFacts {
  /** Facts of sessions that are not known yet: the first status line may be faster than the first hook. */
  private readonly early = new Map<string, { facts: StatusLineFacts; at: number }>();

  constructor(private readonly loop: Pick<Loop, 'sessionIndex' | 'record'>) {}

  take(payload: object | null, at: number): void {
    const { session_id: id } = (payload ?? {}) as { session_id?: unknown };
    const facts = factsOf(payload);
    if (typeof id !== 'string' || !facts) return;
    if (this.loop.sessionIndex.get(id)) this.record(id, facts, at);
    else if (this.early.size < limits.usage.lateSessions) this.early.set(id, { facts, at });
  }

  onCommit({ changed }: Commit): void {
    if (this.early.size === 0) return;
    for (const { after } of changed) {
      const known = this.early.get(after.id);
      this.early.delete(after.id);
      if (known) this.record(after.id, known.facts, known.at);
    }
  }

  private record(id: string, facts: StatusLineFacts, at: number): void {
    const session = this.loop.sessionIndex.get(id);
    if (session && session.state !== 'ended' && hasNewFacts(session, facts))
      this.loop.record([ownEvent(statusLineReadName, id, at, facts)]);
  }
}
