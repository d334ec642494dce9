/** Claims of waiting sessions, here and on other hosts. No session is given to two clients, also while a claim is being recorded. */
import type { Clock } from '../clock.ts';
import type { Caller } from '../contract/caller.ts';
import { DroverError } from '../contract/error.ts';
import type { Session } from '../contract/session.ts';
import { shortId } from '../contract/short-id.ts';
import type { SessionIndex } from '../live/session-index.ts';
import type { Folded } from '../session/memory.ts';
import { deferralOf, queueEvents } from '../session/queue/deferral.ts';
import { headFor, isQueued, type Queued } from '../session/queue/queue.ts';
import { timing } from '../session/timing.ts';
import type { RemoteClaims } from './fleet/remote-claims.ts';
import { findSession } from './handlers/sessions.ts';

export interface ClaimsDeps {
  sessionIndex: SessionIndex;
  clock: Clock;
  remote: RemoteClaims;
  /** Commits an event of the queue. */
  record: (name: string, session: Folded, payload: object) => Promise<void>;
}

export class Claims {
  /** Sessions whose claim is being recorded now, here or at their host: nobody else waits for them. */
  private readonly claiming = new Set<string>();

  constructor(private readonly deps: ClaimsDeps) {}

  /** Claims the head, and returns it with the queue that it was taken from. A session that is answered at the same moment is skipped. */
  async next(
    readQueue: () => Promise<Queued[]>,
    client: string,
    caller: Caller,
  ): Promise<{ next: Queued | null; from: Queued[] }> {
    const { clock, remote } = this.deps;
    const taken = new Set<string>();
    const silent = new Set<string>();
    for (;;) {
      const from = await readQueue();
      const head = headFor(
        from.filter(
          ({ session: { id, fleet } }) =>
            !taken.has(id) && !this.claiming.has(id) && !silent.has(fleet?.host ?? ''),
        ),
        client,
      );
      if (!head) return { next: null, from };
      const { session, position } = head;
      const until = clock.now() + timing.claimPeriod;
      const granted = await this.whileClaiming(session.id, () =>
        session.fleet ? remote.claim(session, client, caller) : this.claimOwn(session, client, until),
      );
      if (granted === 'no host') silent.add(session.fleet?.host ?? '');
      else taken.add(session.id);
      if (typeof granted === 'string' || !isQueued(granted)) continue;
      const claim = deferralOf(granted)?.claim;
      return {
        next: { session: granted, position, deferred: 'claimed', until: claim?.until ?? until },
        from,
      };
    }
  }

  /** Claims this session. Throws `refused` when somebody else has it. */
  async claim(session: Folded, by: string): Promise<void> {
    const { clock, record } = this.deps;
    const claim = deferralOf(session)?.claim;
    const isTaken = claim && claim.by !== by && claim.until > clock.now();
    if (isTaken || this.claiming.has(session.id))
      throw new DroverError('refused', `Somebody else has claimed ${shortId(session.id)}.`);
    const until = clock.now() + timing.claimPeriod;
    await this.whileClaiming(session.id, () => record(queueEvents.claim, session, { by, until }));
  }

  private async claimOwn({ id }: Session, by: string, until: number): Promise<Session | 'taken'> {
    const { sessionIndex, record } = this.deps;
    await record(queueEvents.claim, findSession(sessionIndex, id), { by, until });
    return sessionIndex.get(id) ?? 'taken';
  }

  private async whileClaiming<T>(id: string, claim: () => Promise<T>): Promise<T> {
    this.claiming.add(id);
    try {
      return await claim();
    } finally {
      this.claiming.delete(id);
    }
  }
}
