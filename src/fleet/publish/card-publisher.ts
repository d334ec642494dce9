/**
 * Publishes this host's heartbeat. It notices when somebody else publishes as this host, which means that DROVER_HOME was
 * copied to another place: the one that started later stops, and says so.
 */
import { HostCard } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import { WrongLastSequence } from '../bus.ts';
import type { CardFacts } from './card-facts.ts';
import { type PublisherContext, readOwn } from '../context.ts';
import { seal } from '../envelope.ts';

export interface CardPublisherDeps extends PublisherContext {
  /** Whether the home is where it was when this machine joined. */
  isAtHome: boolean;
  /** What the card reports besides its clock. */
  facts: () => CardFacts;
  /** Somebody else publishes as this host. */
  onCopied: (problem: string) => void;
  /** This host may publish: nobody else does. */
  onAllowed: () => void;
}

export class CardPublisher {
  private timer: NodeJS.Timeout | null = null;
  private soon: NodeJS.Timeout | null = null;
  private lastSeq: number | null = null;
  private shown = '';
  private sent = 0;
  /** The last card of another instance that seemed to be of an earlier run. */
  private before: HostCard | null = null;
  private isSending = false;
  private isStopped = true;
  /** Counts the starts and stops: either cancels a start that still waits for the broker. */
  private runs = 0;

  constructor(private readonly deps: CardPublisherDeps) {}

  /** Reads the last card first: it may be somebody else's. Returns whether this host publishes now. */
  async start(): Promise<boolean> {
    this.stop();
    this.isStopped = false;
    const run = this.runs;
    const { bus, subjects, host, onAllowed } = this.deps;
    const last = await bus.last(subjects.rowStream, subjects.host(host));
    const card = last && (await readOwn(this.deps, 'host', HostCard, last.bytes));
    if (run !== this.runs) return false;
    // A copy starts later than the original, and the original sends heartbeats.
    if (last && card && this.isFromAnotherInstance(card) && !this.deps.isAtHome) {
      const silence = this.deps.now() - last.at;
      if (silence < limits.fleet.away && !card.isLeaving) {
        this.stopFor(card);
        return false;
      }
    }
    this.lastSeq = last?.seq ?? 0;
    if (!(await this.send()) || run !== this.runs) return false;
    onAllowed();
    this.timer = setInterval(() => void this.send(), limits.fleet.card);
    this.timer.unref();
    return true;
  }

  /** The counts may have changed. */
  onChange(): void {
    if (!this.timer || this.soon) return;
    this.soon = setTimeout(() => {
      this.soon = null;
      if (countsOf(this.deps.facts()) !== this.shown) void this.send();
    }, limits.fleet.cardSoon).unref();
  }

  /** Publishes a card now. */
  async refresh(): Promise<void> {
    await this.send();
  }

  stop(): void {
    this.isStopped = true;
    this.runs++;
    if (this.timer) clearInterval(this.timer);
    if (this.soon) clearTimeout(this.soon);
    this.timer = null;
    this.soon = null;
  }

  /** Announces that this host is leaving. */
  async leave(): Promise<void> {
    const wasRunning = this.timer !== null;
    this.stop();
    if (wasRunning) await this.store(true).catch(() => {});
  }

  /** Returns false when another one publishes as this host, and this one has stopped. */
  private async send(): Promise<boolean> {
    if (this.isSending || this.isStopped) return true;
    this.isSending = true;
    try {
      await this.store(false);
      return true;
    } catch (error) {
      if (error instanceof WrongLastSequence) return await this.resolveConflict();
      this.deps.onError('The heartbeat was not published', error);
      return true;
    } finally {
      this.isSending = false;
    }
  }

  private async store(isLeaving: boolean): Promise<void> {
    const { bus, subjects, fleet, host, key, facts, now } = this.deps;
    const card: HostCard = {
      ...facts(),
      host,
      clock: now(),
      number: ++this.sent,
      ...(isLeaving && { isLeaving }),
    };
    this.shown = countsOf(card);
    const { seq } = await bus.store(
      subjects.host(host),
      seal(fleet, 'host', host, key.secret, card),
      this.lastSeq === null ? {} : { expectLast: this.lastSeq },
    );
    this.lastSeq = seq;
  }

  /** The last card is not the one that this host sent: the broker lost it, or another one publishes as this host. */
  private async resolveConflict(): Promise<boolean> {
    const { bus, subjects, host, facts } = this.deps;
    const last = await bus.last(subjects.rowStream, subjects.host(host));
    const card = last && (await readOwn(this.deps, 'host', HostCard, last.bytes));
    const isLater = card !== null && card.startedAt < facts().startedAt;
    if (card && this.isFromAnotherInstance(card) && !card.isLeaving && (isLater || !this.deps.isAtHome)) {
      if (this.isAlive(card)) {
        this.stopFor(card);
        return false;
      }
      this.before = card;
    }
    this.lastSeq = last?.seq ?? 0;
    await this.store(false).catch(error => this.deps.onError('The heartbeat was not published', error));
    return true;
  }

  /** Whether it comes from a host that is running now: somebody may have stored a card of an earlier run of this one again. */
  private isAlive({ instance, clock }: HostCard): boolean {
    // The clocks of two machines may differ, but a running clock moves forward.
    const hasGoneOn = this.before?.instance === instance && clock > this.before.clock;
    return hasGoneOn || clock >= this.deps.facts().startedAt;
  }

  private stopFor(card: HostCard): void {
    this.stop();
    const since = new Date(card.startedAt).toISOString();
    this.deps.onCopied(
      `Another machine has been publishing as this host since ${since}. This DROVER_HOME is a copy: run \`drover fleet leave\`, then join again.`,
    );
  }

  private isFromAnotherInstance({ instance }: HostCard): boolean {
    return instance !== this.deps.facts().instance;
  }
}

const countsOf = ({ waiting, working, sessions }: CardFacts): string => `${waiting} ${working} ${sessions}`;
