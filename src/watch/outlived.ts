/** Record sessions that ended while their tmux server kept running: `drover restore` must not bring those back. */
import { type Clock, schedule } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { processStart } from '../platform/processes.ts';
import type { Folded } from '../session/memory.ts';
import { eventFrom } from '../session/own-event.ts';
import { isRemote } from '../contract/origin.ts';

export class Outlived {
  private readonly timers = new Set<() => void>();

  constructor(
    private readonly get: (id: string) => Folded | undefined,
    private readonly record: (drafts: Draft[]) => void,
    private readonly clock: Clock,
  ) {}

  /** Called for each session that an event changed. */
  onChange(before: Folded | undefined, after: Folded): void {
    const { id, state, pane, headless } = after;
    const serverPid = pane?.serverPid ?? null;
    if (
      state !== 'ended' ||
      !before ||
      before.state === 'ended' ||
      serverPid === null ||
      isRemote(after) ||
      headless
    )
      return;
    const cancel = schedule(this.clock, limits.watch.serverOutlivesAfter, () => {
      this.timers.delete(cancel);
      if (this.get(id)?.state === 'ended' && processStart(serverPid) !== null) this.record([this.draft(id)]);
    });
    this.timers.add(cancel);
  }

  close(): void {
    for (const cancel of this.timers) cancel();
  }

  private draft(sessionId: string): Draft {
    return eventFrom('sweep', 'Outlived', sessionId, this.clock.now());
  }
}
