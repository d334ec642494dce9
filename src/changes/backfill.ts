/** Finds changes in a log from before changes were stored: once, in small steps. */
import { parseObject } from '../hook/payload.ts';
import { limits } from '../limits.ts';
import type { Store } from '../store/store.ts';
import { type ChangeProjection, mayReport, promptName } from './change-projection.ts';

const fact = 'changesBackfill';

interface Progress {
  /** The last event that was searched, and the last one to search. */
  through: number;
  until: number;
}

export class Backfill {
  private timer: NodeJS.Timeout | null = null;
  private progress: Progress;

  /** `onFound`: called with the sessions for which something was found. */
  constructor(
    private readonly store: Store,
    private readonly projection: ChangeProjection,
    private readonly onFound: (ids: Iterable<string>) => void,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    const known = store.facts.read(fact) as Progress | null;
    this.progress = known ?? { through: 0, until: store.log.lastSeq() };
    if (!known) this.remember();
  }

  get isDone(): boolean {
    return this.progress.through >= this.progress.until;
  }

  start(): void {
    if (this.isDone) return;
    this.timer = setTimeout(() => {
      try {
        this.step();
        this.start();
      } catch (error) {
        this.onError('earlier changes of files could not be read', error);
      }
    }, limits.changes.backfillPause);
    this.timer.unref();
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
  }

  /** A store that cannot be written now must not prevent the start. The next start searches again, with the same result. */
  private remember(): void {
    try {
      this.store.facts.save(fact, this.progress);
    } catch (error) {
      this.onError('the progress of the search for earlier changes could not be saved', error);
    }
  }

  /** Searches the next events. */
  step(): void {
    const { through, until } = this.progress;
    const { backfillRows: rows, backfillBytes: bytes } = limits.changes;
    const events = this.store.log.read({ after: through, rows, bytes }).filter(({ seq }) => seq <= until);
    const found = new Set<string>();
    const next = { through: events.at(-1)?.seq ?? until, until };
    this.store.write(() => {
      for (const event of events) {
        if (!mayReport(event) || event.name === promptName || event.sessionId === null) continue;
        const payload = parseObject(event.raw);
        if (!payload) continue;
        this.projection.write(event, payload, event.sessionId);
        found.add(event.sessionId);
      }
      this.store.facts.save(fact, next);
    });
    this.progress = next;
    if (found.size > 0) this.onFound(found);
  }
}
