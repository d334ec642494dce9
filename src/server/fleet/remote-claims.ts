/**
 * Claims of sessions of other hosts. The host of a session grants its claims, so two people never get the same session. A granted
 * claim is remembered here until the session's row shows it too.
 */
import type { Clock } from '../../clock.ts';
import type { Caller } from '../../contract/caller.ts';
import { DroverError } from '../../contract/error.ts';
import { idParts } from '../../contract/origin.ts';
import { QueueItem } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import type { Peers } from '../../fleet/peers.ts';
import { limits } from '../../limits.ts';
import { deferralOf, emptyDeferral } from '../../session/queue/deferral.ts';
import { fromHost } from './from-host.ts';

/** Why a claim was not granted: somebody else has the session, or its host cannot be used for now. */
export type Refusal = 'taken' | 'no host';

interface Granted {
  by: string;
  until: number;
  /** The event of the claim at its host. */
  seq: number;
  /** The session as it was last known, with the claim and without: many clients may ask at once. */
  shown: { from: Session; session: Session } | null;
}

export class RemoteClaims {
  private readonly granted = new Map<string, Granted>();

  constructor(
    private readonly peers: () => Peers | null,
    private readonly clock: Clock,
  ) {}

  /** The sessions of the other hosts, with the claims that were granted to clients of this one. */
  async sessions(): Promise<Session[]> {
    const sessions = (await this.peers()?.sessions()) ?? [];
    const now = this.clock.now();
    for (const [id, { until }] of this.granted) if (until <= now) this.granted.delete(id);
    if (this.granted.size === 0) return sessions;
    return sessions.map(session => {
      const granted = this.granted.get(session.id);
      return granted && isStill(granted, session) ? shownWith(session, granted) : session;
    });
  }

  /** Asks the host of the session for a claim. */
  async claim(
    { id, fleet }: Session,
    client: string,
    caller: Pick<Caller, 'kind' | 'name' | 'session'>,
  ): Promise<Session | Refusal> {
    const peers = this.peers();
    const peer = fleet && peers?.host(fleet.host);
    if (!peers || !peer) return 'no host';
    try {
      const { json } = await peers.send(peer.host, {
        route: 'claimSession',
        params: { id: idParts(id).own },
        body: { client },
        caller,
        answerMs: limits.fleet.claimAnswer,
      });
      const item = fromHost.claimSession(QueueItem.parse(json), peer);
      const claim = deferralOf(item.session)?.claim;
      // Somebody has skipped, snoozed or dismissed it in the meantime.
      if (item.deferred !== 'claimed' || !claim) return 'taken';
      const granted: Granted = { by: client, until: claim.until, seq: item.session.seq, shown: null };
      this.granted.set(item.session.id, granted);
      return withClaim(item.session, granted);
    } catch (error) {
      const isTaken =
        error instanceof DroverError && ['refused', 'no_session', 'ambiguous'].includes(error.code);
      return isTaken ? 'taken' : 'no host';
    }
  }
}

/** Whether the row is older than the claim, or shows this very claim. A row does not say whose claim it is. */
const isStill = ({ seq, until }: Granted, session: Session): boolean => {
  if (session.seq < seq) return true;
  const claim = deferralOf(session)?.claim;
  // Clocks of hosts are known only this exactly.
  return claim != null && Math.abs(claim.until - until) < limits.fleet.shownSkew;
};

const shownWith = (session: Session, granted: Granted): Session => {
  if (granted.shown?.from !== session)
    granted.shown = { from: session, session: withClaim(session, granted) };
  return granted.shown.session;
};

const withClaim = (session: Session, { by, until }: Pick<Granted, 'by' | 'until'>): Session => ({
  ...session,
  deferral: { ...(deferralOf(session) ?? emptyDeferral(session.since)), claim: { by, until } },
});
