/**
 * The loop: events are appended to the log, folded, saved and published, in this order, in one place. Everything that came in
 * since the last commit shares one transaction (group commit). Nobody sees an event before its commit.
 */
import { DroverError } from '../contract/error.ts';
import type { Draft, Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Clock } from '../clock.ts';
import { parseObject } from '../hook/payload.ts';
import { limits } from '../limits.ts';
import { clockStepName, isClockStep } from '../session/clock-step.ts';
import { eventTime } from '../session/event-time.ts';
import type { Folded } from '../session/memory.ts';
import { ownEvent } from '../session/own-event.ts';
import { type Budgets, defaultBudgets } from '../session/timing.ts';
import { isBadValue, isDamage, isDiskFull, isStoreFault } from '../store/sqlite-error.ts';
import type { Store } from '../store/store.ts';
import { ClockSteps } from './clock-steps.ts';
import { Deduplicator } from './deduplicator.ts';
import { saveEnded } from './ended-periods.ts';
import { Recorder } from './recorder.ts';
import { applyEvent, restore, saveSnapshots } from './restore.ts';
import type { Overlay, SessionIndex } from './session-index.ts';
import { type CatchUp, TentativeStates } from './tentative-states.ts';
import { type WaitOptions, Waiters } from './waiters.ts';

export interface Delivery {
  draft: Draft;
  /** Identifies the delivery, so that a repeated one is ignored. */
  key?: string | undefined;
}

/** One event after its commit, with the sessions it changed. */
export interface Commit {
  event: Event;
  /** The parsed payload; null when it is not a JSON object. */
  payload: Hook | null;
  changed: { before: Folded | undefined; after: Folded }[];
}

/** Follows the log: called with each event after its commit, in order of seq. */
export interface View {
  /** Named in the log when it fails. */
  readonly name: string;
  onCommit: (commit: Commit) => void;
}

interface Waiting {
  deliveries: Delivery[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

export class Loop {
  readonly sessionIndex: SessionIndex;
  private readonly recorder: Recorder;
  private timer: NodeJS.Timeout | null = null;
  private readonly steps: ClockSteps;
  /** When the store was last full, ms. */
  diskFullAt: number | null = null;
  readonly counts = { taken: 0, doubled: 0, failed: 0 };
  private readonly deduplicator: Deduplicator;
  private readonly views: View[] = [];
  private readonly projections: View[] = [];
  private readonly waiters: Waiters;
  private readonly tentative: TentativeStates;
  private waiting: Waiting[] = [];
  private releases: string[] = [];

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
    private readonly budgets: Budgets = defaultBudgets,
    /** The sessions that the log leads to, where they have been restored already. */
    restored?: SessionIndex,
  ) {
    this.waiters = new Waiters(clock);
    this.tentative = new TentativeStates(this, clock, onError);
    this.recorder = new Recorder(deliveries => this.append(deliveries), onError);
    this.sessionIndex = restored ?? this.retryDamaged(() => restore(store, budgets, onError));
    this.deduplicator = this.retryDamaged(() => new Deduplicator(store.log));
    store.onReplaced(() => saveSnapshots(store, this.sessionIndex, clock.now()));
    store.waitBriefly();
    this.steps = new ClockSteps(clock, store.log.lastSeen());
    if (clock.uptime) this.timer = setInterval(() => this.flush(), limits.clock.check).unref();
  }

  /** Starts to confirm or revert tentative states, after `catchUp`; returns a function that stops it. */
  startConfirming(catchUp: CatchUp): () => void {
    this.tentative.start(catchUp);
    return () => this.tentative.stop();
  }

  /** Commits what is waiting, and stops. */
  close(): void {
    if (this.timer) clearInterval(this.timer);
    this.flush();
    this.tentative.stop();
    this.recorder.close();
  }

  /** Stores deliveries; resolves once they are durable. */
  append(deliveries: Delivery[]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => this.flush());
      this.waiting.push({ deliveries, resolve, reject });
    });
  }

  /** Stores events that nobody would send again; retries until the store has them. */
  record(drafts: Draft[]): void {
    this.recorder.record(drafts);
  }

  /** Number of events that wait because the store fails. */
  get pending(): number {
    return this.recorder.pending;
  }

  /** Forgets these deliveries with the next commit: they cannot be repeated any more. */
  release(keys: string[]): void {
    this.releases.push(...keys);
  }

  /** Commits what is waiting now. */
  flush(): void {
    this.followClock();
    const batch = this.waiting;
    if (batch.length === 0 && this.releases.length === 0) return;
    this.waiting = [];
    this.commitBatch(batch);
  }

  /** Records that the clock was set. This comes before the waiting events, whose times are by the new clock. */
  private followClock(): void {
    const by = this.steps.check();
    if (by === 0) return;
    this.onError('The clock was set', new Error(`by ${by} ms`));
    const now = this.clock.now();
    // The times of an ended session change only if its end would be in the future: until then it could not be resumed.
    const drafts = this.sessionIndex
      .all()
      .filter(({ state, touched }) => state !== 'ended' || touched > now)
      .map(({ id }) => ownEvent(clockStepName, id, now, { by }));
    const deliveries = drafts.map(draft => ({ draft }));
    const reject = () => this.record(drafts);
    if (drafts.length > 0) this.waiting.unshift({ deliveries, resolve: () => {}, reject });
  }

  private commitBatch(batch: Waiting[]): void {
    let commits: Commit[];
    try {
      commits = this.retryDamaged(() => this.commit(batch));
    } catch (error) {
      // One bad event must not fail the whole batch: the events are committed one by one.
      if (batch.length > 1 && isBadValue(error)) for (const item of batch) this.commitBatch([item]);
      else this.reject(batch, error);
      return;
    }
    for (const commit of commits) this.publish(commit);
    this.tentative.onCommits(commits);
    for (const item of batch) item.resolve();
  }

  private reject(batch: Waiting[], error: unknown): void {
    this.counts.failed += batch.length;
    if (isDiskFull(error)) this.diskFullAt = this.clock.now();
    this.onError('The store rejected a batch of events', error);
    const code = isBadValue(error) ? 'bad_event' : 'store_failed';
    const reason = new DroverError(code, `The store rejected the event: ${String(error)}`);
    reason.cause = error;
    for (const item of batch) item.reject(reason);
  }

  private commit(batch: Waiting[]): Commit[] {
    const overlay = this.sessionIndex.overlay();
    this.deduplicator.begin();
    let commits: Commit[];
    try {
      commits = this.store.write(() => this.insert(batch, overlay));
    } catch (error) {
      this.deduplicator.rollback();
      throw error;
    }
    this.releases = [];
    this.deduplicator.commit();
    overlay.merge();
    return commits;
  }

  /** Runs `work`, and once more if the database was damaged: by then a new one has replaced it. */
  private retryDamaged<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      return work();
    }
  }

  /** Returns the seq of the event that a delivery became; undefined when it is not known. */
  eventOf(delivery: string): number | undefined {
    return this.deduplicator.eventOf(delivery);
  }

  /** Returns the payload of an event; null when the log no longer has it. */
  payloadAt(seq: number): Hook | null {
    const event = this.store.log.at(seq);
    return event && parseObject(event.raw);
  }

  /** Calls these views for each event after its commit, in this order. */
  addViews(views: View[]): void {
    this.views.push(...views);
  }

  /** Resolves with the first value of `read` that is not undefined, and with undefined on timeout: see `Waiters`. */
  until<T>(read: (commit?: Commit) => T | undefined, options: WaitOptions): Promise<T | undefined> {
    return this.waiters.until(read, options);
  }

  /** Calls these projections for each event inside its transaction: what they write is durable with the event, or not at all. */
  addProjections(projections: View[]): void {
    this.projections.push(...projections);
  }

  private insert(batch: Waiting[], overlay: Overlay): Commit[] {
    const { log, sessions } = this.store;
    const seen = this.clock.now();
    for (const key of this.releases) log.release(key);
    const commits: Commit[] = [];
    let bytes = 0;
    for (const { draft: given, key } of batch.flatMap(item => item.deliveries)) {
      const draft = { ...given, at: eventTime(given.at, seen) };
      if ((key && !log.take(key, seen)) || this.deduplicator.isCopy(draft)) {
        this.counts.doubled++;
        continue;
      }
      const event = log.append(draft, seen);
      this.deduplicator.note(event);
      bytes += draft.raw.length;
      const payload = parseObject(event.raw);
      commits.push({
        event,
        payload,
        changed: applyEvent(event, payload, overlay, this.budgets, this.onError),
      });
    }
    if (commits.length) {
      log.tally(commits.length, bytes);
      sessions.save(overlay.changed(), (commits.at(-1) as Commit).event.seq);
      saveEnded(
        this.store,
        commits.filter(({ event }) => !isClockStep(event)).flatMap(({ changed }) => changed),
      );
      for (const commit of commits) this.project(commit);
    }
    this.counts.taken += commits.length;
    return commits;
  }

  /** Runs the projections of an event. If the store fails, the event is rolled back too. */
  private project(commit: Commit): void {
    for (const projection of this.projections) {
      try {
        projection.onCommit(commit);
      } catch (error) {
        if (isStoreFault(error)) throw error;
        this.onError(`Projection ${projection.name} failed on event ${commit.event.seq}`, error);
      }
    }
  }

  private publish(commit: Commit): void {
    for (const view of this.views) {
      try {
        view.onCommit(commit);
      } catch (error) {
        this.onError(`${view.name} failed on event ${commit.event.seq}`, error);
      }
    }
    this.waiters.onCommit(commit);
  }
}
