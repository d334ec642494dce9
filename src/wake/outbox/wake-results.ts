/** Records the outcome of wakes in the store and in the log: delivered, dropped, tried again later, or dead. */
import type { Clock } from '../../clock.ts';
import type { Wake } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import type { DeliveryQueue } from '../../live/delivery-queue.ts';
import type { Loop } from '../../live/loop.ts';
import type { DeliveryResult } from '../deliver/deliver.ts';
import { removeDetachedFiles } from '../deliver/detached-process.ts';
import type { OpenWakes } from './open-wakes.ts';
import type { Outbox } from './outbox.ts';
import { draftOfWake } from './record.ts';
import type { WakeChange } from './wake-change.ts';

interface WakeResultsDeps {
  loop: Loop;
  clock: Clock;
  outbox: Outbox;
  open: OpenWakes;
  queue: DeliveryQueue<string>;
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

  /** Saves wakes as begun; those that cannot be saved are not begun. */
  saveBegun(wakes: Wake[]): void {
    try {
      this.deps.outbox.saveNow(wakes);
    } catch (error) {
      this.deps.open.change(idsOf(wakes), { kind: 'undone' });
      throw error;
    }
  }

  /** Records how a delivery ended that began at `began`. A failed one is tried again later, but not for ever. */
  settle(wakes: Wake[], { error }: DeliveryResult, began: number): void {
    if (this.isClosed) return;
    const { clock, dir, mask, open, outbox } = this.deps;
    const at = clock.now();
    const took = at - began;
    if (error === null) this.finish(wakes, { kind: 'delivered', at, took, reason: null });
    else {
      const reason = mask(error);
      const dead = wakes.filter(({ tries }) => tries >= limits.wake.attempts);
      this.finish(dead, { kind: 'dead', at, took, reason });
      const again = wakes.filter(wake => !dead.includes(wake));
      const dueOf = ({ tries }: Wake) => at + limits.wake.retryPause * 2 ** (tries - 1);
      outbox.save(open.change(idsOf(again), wake => ({ kind: 'failed', due: dueOf(wake), took, reason })));
    }
    for (const bundle of new Set(wakes.flatMap(({ bundle: name }) => name ?? [])))
      removeDetachedFiles(dir, bundle);
  }

  /** Drops wakes that nobody should get any more. */
  drop(wakes: Wake[], reason: string): void {
    const { clock, mask } = this.deps;
    this.finish(wakes, { kind: 'dropped', at: clock.now(), reason: mask(reason) });
  }

  private finish(wakes: Wake[], change: WakeChange): void {
    if (wakes.length === 0 || this.isClosed) return;
    const { open, outbox, queue } = this.deps;
    const finished = open.change(idsOf(wakes), change);
    outbox.save(finished);
    for (const { agent, id } of finished) queue.remove(agent, [id]);
    this.log(finished);
  }

  log(wakes: Wake[]): void {
    if (wakes.length === 0) return;
    const { loop } = this.deps;
    loop.record(
      wakes.filter(({ sessionId }) => loop.sessionIndex.get(sessionId)).map(wake => draftOfWake(wake)),
    );
  }
}

const idsOf = (wakes: readonly Wake[]): string[] => wakes.map(({ id }) => id);
