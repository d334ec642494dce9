/**
 * Publishes all that this host shows the fleet: its heartbeat first, then, unless a copy of this host publishes already, the
 * rows of its sessions and the outlines of its events.
 */
import type { Commit } from '../../live/loop.ts';
import { CardPublisher, type CardPublisherDeps } from './card-publisher.ts';
import { OutlinePublisher, type OutlinePublisherDeps } from '../outlines/outline-publisher.ts';
import { pause, retry } from '../retry.ts';
import { RowPublisher, type RowPublisherDeps } from './row-publisher.ts';

export interface PublishingDeps
  extends RowPublisherDeps,
    OutlinePublisherDeps,
    Omit<CardPublisherDeps, 'onCopied' | 'onAllowed'> {
  /** This host has learned that it may not publish. */
  onChange: () => void;
}

export class Publishing {
  /** Why this host may not publish; null while it may. */
  problem: string | null = null;
  private readonly card: CardPublisher;
  private readonly rows: RowPublisher;
  private readonly outlines: OutlinePublisher;
  private isClosed = false;

  constructor(private readonly deps: PublishingDeps) {
    this.rows = new RowPublisher(deps);
    this.outlines = new OutlinePublisher(deps);
    this.card = new CardPublisher({
      ...deps,
      onCopied: problem => {
        this.stopPublishing(problem);
        deps.onError('This host does not publish', new Error(problem));
        deps.onChange();
      },
      onAllowed: () => this.onAllowed(),
    });
  }

  /** Number of rows. */
  get published(): number {
    return this.rows.counts.published;
  }

  /** Returns whether this host publishes now: false too when a stop or another start came first. */
  start(): Promise<boolean> {
    return this.card.start();
  }

  stop(): void {
    this.card.stop();
    this.rows.stop();
    this.outlines.stop();
  }

  /** Stops because this host may not publish. */
  stopPublishing(problem: string): void {
    this.problem = problem;
    this.stop();
  }

  onCommit(commit: Commit): void {
    this.rows.onCommit(commit);
    this.card.onChange();
    this.outlines.onCommit();
  }

  /** These sessions of this host were forgotten. */
  drop(ids: Iterable<string>): void {
    this.rows.drop(ids);
  }

  /** Stops, and announces that this host is leaving if the broker accepts that in time. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.rows.stop();
    this.outlines.stop();
    await Promise.race([this.card.leave(), pause(500)]);
  }

  private onAllowed(): void {
    this.problem = null;
    this.retryUntilDone('Rows were not published', () => this.rows.start());
    if (this.deps.share === 'all')
      this.retryUntilDone('Outlines were not published', () => this.outlines.start());
  }

  /** Tries until it works, the connection is lost, or this host may not publish. */
  private retryUntilDone(message: string, work: () => Promise<void>): void {
    const { bus, onError } = this.deps;
    const isWanted = () => !this.isClosed && this.problem === null && bus.state.connection === 'connected';
    void retry(work, isWanted, error => onError(message, error));
  }
}
