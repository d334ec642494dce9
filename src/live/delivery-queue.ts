/**
 * Delivers the items of each key in order, one delivery at a time. Messages wait by session, wakes by agent. The
 * items are durable elsewhere: after a restart whoever stored them adds them again.
 */
import { type Clock, schedule } from '../clock.ts';

export interface DeliveryRules<T> {
  /** Ms until the next delivery of this key may begin; null to wait for a call of `wake`. */
  delay: (key: string, items: readonly T[]) => number | null;
  /** Delivers the first item, or several, and removes those that are finished. */
  deliver: (key: string, items: readonly T[]) => Promise<void>;
  /** A delivery has failed. Unless the items are removed or delayed they are tried again at once. */
  failed: (key: string, items: readonly T[], error: unknown) => void;
}

interface Reservation {
  take: () => void;
  giveUp: () => void;
}

interface Lane<T> {
  items: T[];
  /** A delivery is in progress, or the lane is reserved. */
  isBusy: boolean;
  /** Pending reservations of the lane. They come before the items in it. */
  reservations: Reservation[];
  cancelTimer: (() => void) | null;
}

export class DeliveryQueue<T> {
  private readonly lanes = new Map<string, Lane<T>>();
  private isClosed = false;

  constructor(
    private readonly rules: DeliveryRules<T>,
    private readonly clock: Clock,
  ) {}

  /** Starts no further delivery. A running one continues; reservations are refused. */
  close(): void {
    this.isClosed = true;
    for (const lane of this.lanes.values()) {
      lane.cancelTimer?.();
      for (const { giveUp } of lane.reservations) giveUp();
    }
  }

  keys(): string[] {
    return [...this.lanes.keys()];
  }

  items(key: string): readonly T[] {
    return this.lanes.get(key)?.items ?? [];
  }

  /** Whether this item is being delivered, or is about to be. */
  isNext(key: string, item: T): boolean {
    const lane = this.lanes.get(key);
    return lane !== undefined && lane.isBusy && lane.items[0] === item;
  }

  add(key: string, ...items: T[]): void {
    this.lane(key).items.push(...items);
  }

  /** Adds items ahead of what waits. */
  addFirst(key: string, ...items: T[]): void {
    this.lane(key).items.unshift(...items);
  }

  remove(key: string, items: readonly T[]): void {
    const lane = this.lanes.get(key);
    if (lane) lane.items = lane.items.filter(item => !items.includes(item));
  }

  /** Begins the next delivery of a key, now or after its delay. */
  wake(key: string): void {
    const lane = this.lanes.get(key);
    if (!lane || lane.isBusy || this.isClosed) return;
    lane.cancelTimer?.();
    lane.cancelTimer = null;
    if (lane.items.length === 0) {
      this.lanes.delete(key);
      return;
    }
    const delay = this.rules.delay(key, lane.items);
    if (delay === null) return;
    if (delay > 0) lane.cancelTimer = schedule(this.clock, delay, () => this.wake(key));
    else void this.begin(key, lane);
  }

  /**
   * Reserves a key, so that nothing is delivered until the returned function is called. Waits for the delivery in progress;
   * returns null when that takes longer than `ms`, or the queue is closed.
   */
  reserve(key: string, ms: number): Promise<(() => void) | null> {
    const lane = this.lane(key);
    return new Promise(resolve => {
      const take = () => {
        cancel();
        lane.isBusy = true;
        resolve(() => this.end(key, lane));
      };
      const giveUp = () => {
        cancel();
        lane.reservations = lane.reservations.filter(other => other.take !== take);
        resolve(null);
      };
      const cancel = schedule(this.clock, ms, giveUp);
      if (this.isClosed) giveUp();
      else if (lane.isBusy) lane.reservations.push({ take, giveUp });
      else take();
    });
  }

  private async begin(key: string, lane: Lane<T>): Promise<void> {
    lane.isBusy = true;
    try {
      await this.rules.deliver(key, lane.items);
    } catch (error) {
      this.rules.failed(key, lane.items, error);
    } finally {
      this.end(key, lane);
    }
  }

  private end(key: string, lane: Lane<T>): void {
    lane.isBusy = false;
    const reservation = lane.reservations.shift();
    if (reservation) reservation.take();
    else this.wake(key);
  }

  private lane(key: string): Lane<T> {
    const lane = this.lanes.get(key) ?? { items: [], isBusy: false, reservations: [], cancelTimer: null };
    this.lanes.set(key, lane);
    return lane;
  }
}
