/** The wakes that are still to be delivered, as they are now. */
import type { Wake } from '../../contract/wake.ts';
import { changeWake, isOpen, type WakeChange } from './wake-change.ts';

export class OpenWakes {
  private readonly wakes = new Map<string, Wake>();

  add(wake: Wake): void {
    this.wakes.set(wake.id, wake);
  }

  remove(id: string): void {
    this.wakes.delete(id);
  }

  /** Those of these ids that are open, in the same order. */
  named(ids: readonly string[]): Wake[] {
    return ids.flatMap(id => this.wakes.get(id) ?? []);
  }

  /** Changes open wakes; returns them after the change. Those that are finished then are no longer open. */
  change(ids: readonly string[], change: WakeChange | ((wake: Wake) => WakeChange)): Wake[] {
    const changed = this.named(ids).map(wake =>
      changeWake(wake, typeof change === 'function' ? change(wake) : change),
    );
    for (const wake of changed)
      if (isOpen(wake)) this.add(wake);
      else this.remove(wake.id);
    return changed;
  }
}
