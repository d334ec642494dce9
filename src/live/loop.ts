/**
 * The one loop: what was received is appended to the log, folded, saved and published, in this order, in one place.
 * Everything that came in since the last turn shares one transaction (group commit). Whoever waits for an event
 * hears of it after the commit, never before.
 */
import { DroverError } from '../contract/error.ts';
import type { Draft, Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Clock } from '../clock.ts';
import { parseObject } from '../hook/payload.ts';
import { limits } from '../limits.ts';
import { clockStepName, isClockStep } from '../session/clock-step.ts';
import { eventTime } from '../session/event-time.ts';
import { fold, snapshotDraft } from '../session/fold.ts';
import type { Folded } from '../session/memory.ts';
import { ownEvent } from '../session/own-event.ts';
import { spanOver } from '../session/span.ts';
import { type Budgets, defaultBudgets } from '../session/timing.ts';
import { waitOver } from '../session/wait.ts';
import { isBadValue, isDamage, isDiskFull, isStoreFault } from '../store/sqlite-error.ts';
import type { Store } from '../store/store.ts';
import { ClockSteps } from './clock-steps.ts';
import { Deduplicator } from './deduplicator.ts';
import { Recorder } from './recorder.ts';
import { SessionIndex } from './session-index.ts';
import { type CatchUp, TentativeStates } from './tentative-states.ts';
import { type WaitOptions, Waits } from './waits.ts';

export interface Delivery {
  draft: Draft;
  /** Names the delivery, so that the same one is taken once even if it comes again. */
  key?: string | undefined;
}

/** One event after its commit, with the sessions it changed. */
export interface Commit {
  event: Event;
  /** The parsed payload; null when it is not a JSON object. */
  payload: Hook | null;
  changed: { before: Folded | undefined; after: Folded }[];
}

/** Follows the log: told of each event after its commit, in order of seq. */
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
  /** By how much the clock was set, which no session has been told yet. */
  private stepped: number;
  /** When the store last had no room, ms. */
  diskFullAt: number | null = null;
  readonly counts = { taken: 0, doubled: 0, failed: 0 };
  private readonly deduplicator: Deduplicator;
  private readonly views: View[] = [];
  private readonly projections: View[] = [];
  private readonly waits: Waits;
  private readonly tentative: TentativeStates;
  private waiting: Waiting[] = [];
  private releases: string[] = [];

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
    private readonly budgets: Budgets = defaultBudgets,
  ) {
    this.waits = new Waits(clock);
    this.tentative = new TentativeStates(this, clock, onError);
    this.recorder = new Recorder(deliveries => this.take(deliveries), onError);
    this.sessionIndex = this.again(() => this.restore());
    this.deduplicator = this.again(() => new Deduplicator(store.log));
    store.onReplaced(() => this.keepSnapshots());
    store.waitBriefly();
    this.steps = new ClockSteps(clock);
    // Set back while no daemon ran: what is known has not happened yet. It moves to just before now, so that what comes
    // next is later, also by the coarse times of files.
    const ahead = clock.steady ? store.log.lastSeen() - clock.now() : 0;
    this.stepped = ahead < limits.clock.step ? 0 : -(ahead + 10);
    if (clock.steady) this.timer = setInterval(() => this.turn(), limits.clock.check).unref();
  }

  /** Starts to confirm or revert tentative states, after `catchUp`; returns a function that stops it. */
  startConfirming(catchUp: CatchUp): () => void {
    this.tentative.start(catchUp);
    return () => this.tentative.stop();
  }

  /** Commits what is waiting, and looks at the clock no more. */
  close(): void {
    if (this.timer) clearInterval(this.timer);
    this.turn();
    this.tentative.stop();
    this.recorder.close();
  }

  /** Takes deliveries in; resolves once they are durable. */
  take(deliveries: Delivery[]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) setImmediate(() => this.turn());
      this.waiting.push({ deliveries, resolve, reject });
    });
  }

  /** Takes events in that nobody would send again: tries until the store has them. */
  record(drafts: Draft[]): void {
    this.recorder.record(drafts);
  }

  /** Events that wait for a store which fails. */
  get pending(): number {
    return this.recorder.pending;
  }

  /** These deliveries can no longer come again; forgotten with the next commit. */
  release(keys: string[]): void {
    this.releases.push(...keys);
  }

  /** Commits what is waiting, now. */
  turn(): void {
    this.followClock();
    const batch = this.waiting;
    if (batch.length === 0 && this.releases.length === 0) return;
    this.waiting = [];
    this.settle(batch);
  }

  /** Puts the change before everything else that waits, when somebody has set the clock: that is of the new time. */
  private followClock(): void {
    const by = this.steps.check() + this.stepped;
    this.stepped = 0;
    if (by === 0) return;
    this.onError('The clock was set', new Error(`by ${by} ms`));
    const now = this.clock.now();
    // One that has ended moves only if its end is still to come: it could not be resumed until then.
    const drafts = this.sessionIndex
      .all()
      .filter(({ state, touched }) => state !== 'ended' || touched > now)
      .map(({ id }) => ownEvent(clockStepName, id, now, { by }));
    const deliveries = drafts.map(draft => ({ draft }));
    const reject = () => this.record(drafts);
    if (drafts.length > 0) this.waiting.unshift({ deliveries, resolve: () => {}, reject });
  }

  private settle(batch: Waiting[]): void {
    let commits: Commit[];
    try {
      commits = this.again(() => this.commit(batch));
    } catch (error) {
      // One bad event must not cost the others that came in the same moment.
      if (batch.length > 1 && isBadValue(error)) for (const item of batch) this.settle([item]);
      else this.refuse(batch, error);
      return;
    }
    for (const commit of commits) this.publish(commit);
    this.confirmTentative(commits);
    for (const item of batch) item.resolve();
  }

  /** What these commits left tentative is confirmed or reverted when its time has come. */
  private confirmTentative(commits: Commit[]): void {
    this.tentative.onCommits(commits);
  }

  private refuse(batch: Waiting[], error: unknown): void {
    this.counts.failed += batch.length;
    if (isDiskFull(error)) this.diskFullAt = this.clock.now();
    this.onError('the store refused a batch', error);
    const code = isBadValue(error) ? 'bad_event' : 'store_failed';
    const reason = new DroverError(code, `The store refused the event: ${String(error)}`);
    reason.cause = error;
    for (const item of batch) item.reject(reason);
  }

  private commit(batch: Waiting[]): Commit[] {
    const overlay = this.sessionIndex.overlay();
    this.deduplicator.begin();
    let commits: Commit[];
    try {
      commits = this.store.write(() => this.keep(batch, overlay));
    } catch (error) {
      this.deduplicator.rollback();
      throw error;
    }
    this.releases = [];
    this.deduplicator.commit();
    overlay.settle();
    return commits;
  }

  /** Does it once more when the database turned out to be damaged: by then a new one stands in its place. */
  private again<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw error;
      return work();
    }
  }

  /** The number of the event that a delivery became; undefined when it is not known. */
  eventOf(delivery: string): number | undefined {
    return this.deduplicator.eventOf(delivery);
  }

  /** The payload of an event; null when the log no longer has it. */
  payloadAt(seq: number): Hook | null {
    const event = this.store.log.at(seq);
    return event && parseObject(event.raw);
  }

  /** Tells these views of each event after its commit, in this order. */
  addViews(views: View[]): void {
    this.views.push(...views);
  }

  /** Resolves with the first value of `read` that is not undefined, and with undefined when the time is over: see Waits. */
  until<T>(read: (commit?: Commit) => T | undefined, options: WaitOptions): Promise<T | undefined> {
    return this.waits.until(read, options);
  }

  /** Tells this projection of each event inside its transaction: what it writes is durable with the event, or not at all. */
  addProjection(projection: View): void {
    this.projections.push(projection);
  }

  private keep(batch: Waiting[], overlay: ReturnType<SessionIndex['overlay']>): Commit[] {
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
      commits.push({ event, payload, changed: this.apply(event, payload, overlay) });
    }
    if (commits.length) {
      log.tally(commits.length, bytes);
      sessions.save(overlay.changed(), (commits.at(-1) as Commit).event.seq);
      this.keepOver(commits.filter(({ event }) => !isClockStep(event)).flatMap(({ changed }) => changed));
      for (const commit of commits) this.project(commit);
    }
    this.counts.taken += commits.length;
    return commits;
  }

  /** Writes what follows from an event. A fault of the store takes the event back too. */
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

  /** Waits and spans that are over, kept with the event that ended them. */
  private keepOver(changed: Commit['changed']): void {
    const { waits, spans } = this.store;
    for (const { before, after } of changed) {
      const wait = waitOver(before, after);
      if (wait) waits.add(wait);
      const span = spanOver(before, after);
      if (span) spans.add(span);
    }
  }

  // A fault in the fold must not cost the event: it is kept, its session stays as it was.
  private apply(
    event: Event,
    payload: Hook | null,
    overlay: ReturnType<SessionIndex['overlay']>,
  ): Commit['changed'] {
    try {
      const changed = fold(overlay, event, payload, this.budgets);
      return changed.map(after => ({ before: overlay.put(after), after }));
    } catch (error) {
      this.onError(`event ${event.seq} could not be folded`, error);
      return [];
    }
  }

  private publish(commit: Commit): void {
    this.call(this.views, commit);
    this.waits.onCommit(commit);
  }

  private call(views: View[], commit: Commit): void {
    for (const view of views) {
      try {
        view.onCommit(commit);
      } catch (error) {
        this.onError(`${view.name} failed on event ${commit.event.seq}`, error);
      }
    }
  }

  /** A new database knows nothing: it begins with the state of every session. */
  private keepSnapshots(): void {
    const all = this.sessionIndex.all();
    this.store.sessions.load();
    this.store.write(() => {
      const seen = this.clock.now();
      const events = all.map(session => this.store.log.append(snapshotDraft(session), seen));
      const bytes = events.reduce((sum, { raw }) => sum + raw.length, 0);
      this.store.log.tally(events.length, bytes);
      this.store.sessions.save(all, events.at(-1)?.seq ?? this.store.log.last());
    });
  }

  /** The sessions as they were, and folded into them what the saved state has not seen: nothing after an orderly commit,
   * all of it when the view was deleted. */
  private restore(): SessionIndex {
    const { log, sessions } = this.store;
    const saved = sessions.load();
    const folded = Math.min(saved.folded, log.last());
    const sessionIndex = new SessionIndex(saved.sessions);
    let overlay = sessionIndex.overlay();
    let cursor = folded;
    let over: Commit['changed'] = [];
    const settle = () => {
      this.store.write(() => {
        sessions.save(overlay.changed(), cursor);
        this.keepOver(over);
      });
      over = [];
      overlay.settle();
      overlay = sessionIndex.overlay();
    };
    for (let pages = 1; ; pages++) {
      const events = log.read({ after: cursor, rows: 2_000, bytes: 16_000_000 });
      for (const event of events) {
        const changed = this.apply(event, parseObject(event.raw), overlay);
        if (!isClockStep(event)) over.push(...changed.filter(isOver));
      }
      cursor = events.at(-1)?.seq ?? cursor;
      if (events.length === 0) break;
      // The sessions are many times fewer than their events: written now and then, not with every page.
      if (pages % 100 === 0) settle();
    }
    if (cursor > folded) settle();
    return sessionIndex;
  }
}

/** Whether the change ended a stretch of one state; all else need not be remembered for long. */
const isOver = ({ before, after }: Commit['changed'][number]): boolean =>
  waitOver(before, after) !== null || spanOver(before, after) !== null;
