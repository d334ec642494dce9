/** The other hosts, by their heartbeats: which are online, and how far their clocks are from ours. */
import { HostCard } from '../contract/fleet.ts';
import { limits } from '../limits.ts';
import type { Followed, Stored } from './bus.ts';
import type { FleetContext } from './context.ts';
import { bodyOf, isSignedBy, readEnvelope } from './envelope.ts';
import type { Roster } from './roster.ts';

export interface KnownHost {
  card: HostCard;
  /** When its last card arrived, by our clock, ms; for one that was stored before, when the broker stored it. */
  seenAt: number;
  /** By how much its clock is ahead of ours, ms. */
  skew: number;
}

export interface HostsDeps extends FleetContext {
  roster: Roster;
  onRejected: () => void;
  /** A host came, went away or changed its counts. */
  onChange: (host: string) => void;
}

/** Number of cards from which the clock of a host is estimated. */
const kept = 6;

export class Hosts {
  private readonly known = new Map<string, KnownHost>();
  private readonly offsets = new Map<string, number[]>();
  private readonly away = new Map<string, boolean>();
  private followed: Followed | null = null;
  private timer: NodeJS.Timeout | null = null;
  /** By how much the clock of the broker is ahead of ours, as the last card has shown, ms. */
  private brokerAhead = 0;

  constructor(private readonly deps: HostsDeps) {
    deps.bus.onState(() => this.checkAway());
  }

  start(): void {
    if (this.followed) return;
    const { bus, subjects } = this.deps;
    this.followed = bus.follow(subjects.rowStream, subjects.allHosts, message => this.take(message));
    this.timer = setInterval(() => this.checkAway(), limits.fleet.cardSoon);
    this.timer.unref();
  }

  stop(): void {
    this.followed?.stop();
    this.followed = null;
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  get(host: string): KnownHost | null {
    return this.known.get(host) ?? null;
  }

  /** Every other host that has sent a heartbeat. */
  all(): KnownHost[] {
    return [...this.known.values()];
  }

  /** Whether what is known of it may be outdated: it sends no heartbeat, or none could arrive. */
  isAway(host: string): boolean {
    return this.deps.bus.state.connection !== 'connected' || this.isSilent(host);
  }

  /** Whether its last heartbeat is too long ago. */
  isSilent(host: string): boolean {
    const known = this.known.get(host);
    if (!known || known.card.isLeaving) return true;
    return this.deps.now() - known.seenAt > limits.fleet.away;
  }

  skewOf(host: string): number {
    return this.known.get(host)?.skew ?? 0;
  }

  private async take({ bytes, at, isOld = false }: Stored): Promise<void> {
    const { fleet, roster, now, onRejected, onChange } = this.deps;
    const envelope = bytes.length > limits.fleet.messageBytes ? null : readEnvelope(bytes);
    if (!envelope) return onRejected();
    if (envelope.from === this.deps.host) return;
    const member = await roster.sender(envelope.from);
    if (envelope.kind !== 'host' || !member || !(await isSignedBy(fleet, envelope, member.publicKey)))
      return onRejected();
    const card = bodyOf(HostCard, envelope);
    if (card?.host !== envelope.from) return onRejected();
    const before = this.known.get(card.host);
    // A replayed old card proves nothing.
    if (before && !isLater(card, before.card)) return;
    const seenAt = isOld ? this.timeOf(at) : now();
    if (!isOld) this.brokerAhead = at - seenAt;
    this.known.set(card.host, { card, seenAt, skew: this.skewAfter(card, seenAt) });
    this.away.set(card.host, this.isAway(card.host));
    onChange(card.host);
  }

  /** When the broker stored a card, by our clock: one that was stored while this machine was not connected arrives late. */
  private timeOf(at: number): number {
    return Math.min(at - this.brokerAhead, this.deps.now());
  }

  /** Estimates how far a host's clock is ahead. Delays only reduce the difference, so the largest of the last cards is the most exact. */
  private skewAfter({ host, clock }: HostCard, at: number): number {
    const offsets = [...(this.offsets.get(host) ?? []), clock - at].slice(-kept);
    // The clock was set, so earlier cards no longer count.
    const last = offsets.at(-1) as number;
    const fitting = offsets.filter(offset => Math.abs(offset - last) < limits.fleet.shownSkew);
    this.offsets.set(host, fitting);
    return Math.max(...fitting);
  }

  private checkAway(): void {
    const now = this.deps.now();
    for (const [host, known] of this.known) {
      // The clock of this machine was set back: its silence counts from now on.
      if (known.seenAt > now) this.known.set(host, { ...known, seenAt: now });
      const isAway = this.isAway(host);
      if (this.away.get(host) === isAway) continue;
      this.away.set(host, isAway);
      this.deps.onChange(host);
    }
  }
}

/** Whether a card was made after another one. Compares counters, because the clock may have been set back in between. */
const isLater = (card: HostCard, before: HostCard): boolean => {
  if (card.instance !== before.instance)
    return card.startedAt >= before.startedAt || (card.epoch === before.epoch && card.seq > before.seq);
  return card.number !== undefined && before.number !== undefined
    ? card.number > before.number
    : card.clock > before.clock;
};
