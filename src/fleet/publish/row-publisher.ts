/**
 * Publishes the rows of this host's sessions. Only the latest state of each counts, so a session that changes faster than the
 * broker answers is published less often. After each connection the rows on the broker are compared with the sessions.
 */
import { FleetRow } from '../../contract/fleet.ts';
import type { Session } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import type { Commit, View } from '../../live/loop.ts';
import { differs } from '../../live/differs.ts';
import { type PublisherContext, readOwn } from '../context.ts';
import { seal } from '../envelope.ts';
import { goneRow, rowOf } from '../row.ts';

export interface RowPublisherDeps extends PublisherContext {
  epoch: string;
  share: 'all' | 'states';
  /** The sessions that are listed: live, parked, and those that have just ended. */
  sessions: () => Iterable<Session>;
  session: (id: string) => Session | undefined;
  lastSeq: () => number;
}

export class RowPublisher implements View {
  readonly name = 'fleet rows';
  readonly counts = { published: 0 };
  private readonly dirty = new Set<string>();
  /** What was published last, by session, without its position in the log, so that nothing is published twice. */
  private readonly last = new Map<string, string>();
  private isRunning = false;
  private isAllowed = false;
  private retry: NodeJS.Timeout | null = null;
  /** Counts the starts: a new start cancels one that still waits for the broker. */
  private runs = 0;
  private endCompare: (() => void) | null = null;

  constructor(private readonly deps: RowPublisherDeps) {}

  onCommit({ changed }: Commit): void {
    for (const { before, after } of changed) if (differs(before, after)) this.dirty.add(after.id);
    if (this.dirty.size > 0) this.run();
  }

  /** Sessions that were forgotten. */
  drop(ids: Iterable<string>): void {
    for (const id of ids) this.dirty.add(id);
    this.run();
  }

  /** Compares the rows on the broker with the sessions, and continues publishing. */
  async start(): Promise<void> {
    this.stop();
    const run = ++this.runs;
    const { bus, subjects, host } = this.deps;
    const known = new Map<string, string>();
    const followed = bus.follow(subjects.rowStream, subjects.rowsOf(host), async ({ bytes }) => {
      const row = await readOwn(this.deps, 'row', FleetRow, bytes);
      if (row && !row.isGone) known.set(row.session, comparable(row));
    });
    this.endCompare = followed.stop;
    await followed.caughtUp;
    followed.stop();
    if (run !== this.runs) return;
    this.last.clear();
    for (const [id, text] of known) this.last.set(id, text);
    for (const id of known.keys()) this.dirty.add(id);
    for (const { id } of this.deps.sessions()) this.dirty.add(id);
    this.isAllowed = true;
    this.run();
  }

  /** Publishes nothing more until the next start. */
  stop(): void {
    this.isAllowed = false;
    this.runs++;
    this.endCompare?.();
    this.endCompare = null;
    if (this.retry) clearTimeout(this.retry);
    this.retry = null;
  }

  /** Number of sessions whose latest state the broker does not have. */
  get behind(): number {
    return this.dirty.size;
  }

  private run(): void {
    if (this.isRunning || !this.isAllowed || this.retry) return;
    this.isRunning = true;
    setImmediate(() => {
      void this.publishAll().finally(() => {
        this.isRunning = false;
        if (this.dirty.size > 0) this.run();
      });
    });
  }

  private async publishAll(): Promise<void> {
    while (this.dirty.size > 0 && this.isAllowed) {
      const batch = [...this.dirty].slice(0, limits.fleet.publishBatch);
      for (const id of batch) this.dirty.delete(id);
      const results = await Promise.allSettled(batch.map(id => this.publish(id)));
      const failed = results.find(result => result.status === 'rejected');
      if (!failed) continue;
      results.forEach((result, n) => {
        if (result.status === 'rejected') this.dirty.add(batch[n] as string);
      });
      if (this.isAllowed) this.deps.onError('Rows were not published', failed.reason);
      this.retry = setTimeout(() => {
        this.retry = null;
        this.run();
      }, limits.fleet.reconnect).unref();
      return;
    }
  }

  private async publish(id: string): Promise<void> {
    const { bus, subjects, fleet, host, key, epoch, share, now, lastSeq } = this.deps;
    const session = this.deps.session(id);
    // Sessions that others report to this machine are not published by it.
    if (session && (session.origin !== null || session.host !== null)) return;
    const row = session ? rowOf(session, epoch, share) : goneRow(id, epoch, lastSeq(), now());
    const text = session ? comparable(row) : '';
    if (text === (this.last.get(id) ?? '')) return;
    const bytes = seal(fleet, 'row', host, key.secret, row);
    await bus.store(subjects.row(host, id), bytes);
    this.counts.published++;
    if (session) this.last.set(id, text);
    else this.last.delete(id);
  }
}

/** The row without the fields that change with every event. */
const comparable = ({ seq, touched, ...row }: FleetRow): string => {
  void seq;
  void touched;
  return JSON.stringify(row);
};
