/** What became of wakes: delivered, dropped, tried again later, or dead. The store and the log have it. */
import type { Clock } from '../../clock.ts';
import type { Wake } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import type { DeliveryQueue } from '../../live/delivery-queue.ts';
import type { Loop } from '../../live/loop.ts';
import type { DeliveryResult } from '../deliver/deliver.ts';
import { removeDetachedFiles } from '../deliver/detached-process.ts';
import type { Outbox } from './outbox.ts';
import { wakeDraft } from './record.ts';

interface WakeResultsDeps {
  loop: Loop;
  clock: Clock;
  outbox: Outbox;
  queue: DeliveryQueue<Wake>;
  /** Where programs leave the results of deliveries. */
  dir: string;
  mask: (text: string) => string;
}

export class WakeResults {
  private isClosed = false;

  constructor(private readonly deps: WakeResultsDeps) {}

  /** Records nothing more: the next daemon determines how deliveries ended. */
  close(): void {
    this.isClosed = true;
  }

  /** Marks wakes as being sent in this bundle. */
  begin(wakes: Wake[], bundle: string): void {
    const together = wakes.length;
    for (const wake of wakes)
      Object.assign(wake, { status: 'sending', bundle, tries: wake.tries + 1, together });
  }

  /** Reverts `begin`: a delivery that never started does not count as an attempt. */
  undoBegin(wakes: Wake[]): void {
    for (const wake of wakes) Object.assign(wake, { status: 'pending', tries: wake.tries - 1 });
  }

  /** Saves wakes as begun; those that cannot be saved are not begun. */
  saveBegun(wakes: Wake[]): void {
    try {
      this.deps.outbox.saveNow(wakes);
    } catch (error) {
      this.undoBegin(wakes);
      throw error;
    }
  }

  settle(wakes: Wake[], { error }: DeliveryResult, began: number): void {
    if (this.isClosed) return;
    const now = this.deps.clock.now();
    for (const wake of wakes) wake.duration = now - began;
    if (error === null) this.finish(wakes, 'delivered', null);
    else this.onFailed(wakes, error, now);
    for (const bundle of new Set(wakes.flatMap(({ bundle: name }) => name ?? [])))
      removeDetachedFiles(this.deps.dir, bundle);
  }

  finish(wakes: Wake[], status: Wake['status'], reason: string | null): void {
    if (wakes.length === 0 || this.isClosed) return;
    const { clock, outbox, queue, mask } = this.deps;
    const doneAt = clock.now();
    for (const wake of wakes) Object.assign(wake, { status, doneAt, reason: reason && mask(reason) });
    outbox.save(wakes);
    for (const wake of wakes) queue.remove(wake.agent, [wake]);
    this.log(wakes);
  }

  log(wakes: Wake[]): void {
    if (wakes.length === 0) return;
    const { loop } = this.deps;
    loop.record(
      wakes.filter(({ sessionId }) => loop.sessionIndex.get(sessionId)).map(wake => wakeDraft(wake)),
    );
  }

  /** Tries again later, but not for ever. */
  private onFailed(wakes: Wake[], error: string, now: number): void {
    const dead = wakes.filter(({ tries }) => tries >= limits.wake.attempts);
    this.finish(dead, 'dead', error);
    const again = wakes.filter(wake => !dead.includes(wake));
    for (const wake of again)
      Object.assign(wake, {
        status: 'pending',
        due: now + limits.wake.retryPause * 2 ** (wake.tries - 1),
        reason: this.deps.mask(error),
      });
    this.deps.outbox.save(again);
  }
}
