/**
 * A short-lived cache of the output of ps, shared by all sessions. The first query for a process reads one row. A second query
 * soon after it reads the whole table, so that many sessions do not cost one ps each.
 */
import { limits } from '../../limits.ts';
import { allRows, parseRows, type Ps, type Row, rowOf } from './ps.ts';

export class ProcessTable {
  private rows = new Map<number, Row>();
  /** When each row, and the whole table, was read. */
  private readonly readAt = new Map<number, number>();
  private allReadAt = Number.NEGATIVE_INFINITY;
  private oneReadAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | null = null;

  constructor(
    private readonly ps: Ps,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The row of a process that exists, not older than a moment; null when it has just ended. */
  row(pid: number): Row | null {
    const known = this.rows.get(pid);
    const readAt = Math.max(this.readAt.get(pid) ?? Number.NEGATIVE_INFINITY, this.allReadAt);
    if (known && this.isFresh(readAt)) return known;
    if (this.isFresh(this.oneReadAt)) return this.allWith(pid).get(pid) ?? null;
    this.oneReadAt = this.now();
    const [row] = parseRows(this.ps.now(rowOf(pid)));
    this.readAt.set(pid, this.now());
    if (row) this.rows.set(pid, this.withFirstStart(row));
    else this.rows.delete(pid);
    return this.rows.get(pid) ?? null;
  }

  /** The rows of all processes, not older than a moment. */
  all(): ReadonlyMap<number, Row> {
    if (!this.isFresh(this.allReadAt)) this.replace(this.ps.now(allRows));
    return this.rows;
  }

  /** The same with a process that exists, which may be younger than the last reading. */
  allWith(pid: number): ReadonlyMap<number, Row> {
    if (!this.all().has(pid)) this.replace(this.ps.now(allRows));
    return this.rows;
  }

  /** What was read last, however long ago. */
  lastKnown(pid: number): Row | null {
    return this.rows.get(pid) ?? null;
  }

  /** Read the whole table without blocking. One reading at a time. */
  readInBackground(): Promise<void> {
    this.reading ??= this.ps
      .later(allRows)
      .then(text => this.replace(text))
      .finally(() => (this.reading = null));
    return this.reading;
  }

  /** Read the whole table in the background when it is older than a few seconds. */
  refreshInBackground(): void {
    if (this.now() - this.allReadAt > limits.platform.background) void this.readInBackground();
  }

  forget(): void {
    this.allReadAt = Number.NEGATIVE_INFINITY;
    this.oneReadAt = Number.NEGATIVE_INFINITY;
    this.readAt.clear();
  }

  private isFresh(readAt: number): boolean {
    return this.now() - readAt < limits.platform.moment;
  }

  private replace(text: string): void {
    const rows = parseRows(text);
    this.allReadAt = this.now();
    // An empty table means that ps could not be run, so keep what is known.
    if (rows.length === 0) return;
    this.readAt.clear();
    this.rows = new Map(rows.map(row => [row.pid, this.withFirstStart(row)]));
  }

  /** Keeps the first start that was read of each process: procps computes it from the boot time, which may move by a second. */
  private withFirstStart(row: Row): Row {
    const before = this.rows.get(row.pid);
    if (!before || Math.abs(before.started - row.started) > 1) return row;
    return { ...row, started: before.started, startText: before.startText };
  }
}
