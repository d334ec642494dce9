/** Keeps the usage database up to date and makes reports from it. Runs in a worker thread. */
import { type Clock, elapsed } from '../clock.ts';
import type { BudgetConfig, Price, Usage, UsageQuery } from '../contract/usage.ts';
import { limits } from '../limits.ts';
import { UsageStore } from '../store/usage/usage-store.ts';
import type { CostReport } from '../store/usage/usage-bills.ts';
import { type BudgetReached, budgetsOf, newlyReached } from './budgets.ts';
import { pricesOf } from './prices.ts';
import { UsageReader } from './reader.ts';
import { reportOf } from './report.ts';

export interface EngineOptions {
  file: string;
  claudeDirs: string[];
  prices: Record<string, Price>;
  budget: BudgetConfig;
}

export interface EngineListeners {
  onBudget: (reached: BudgetReached[]) => void;
  onError: (message: string, error: unknown) => void;
  /** Called when the worker thread has ended. */
  onExit?: () => void;
}

export interface EngineForget {
  id?: string;
  before?: number;
  all?: boolean;
}

export class UsageEngine {
  private readonly reader: UsageReader;
  private readonly timers = new Set<NodeJS.Timeout>();
  private claudeDirs: string[];
  private poll: NodeJS.Timeout | null = null;
  private rescannedAt = Number.NEGATIVE_INFINITY;
  private isReading = false;
  private closed = false;

  private constructor(
    private readonly store: UsageStore,
    private readonly options: EngineOptions,
    private readonly listeners: EngineListeners,
    private readonly clock: Clock,
  ) {
    this.claudeDirs = options.claudeDirs;
    this.reader = new UsageReader(store, listeners.onError);
  }

  static async open(options: EngineOptions, listeners: EngineListeners, clock: Clock): Promise<UsageEngine> {
    const store = await UsageStore.open(options.file, listeners.onError, clock);
    return new UsageEngine(store, options, listeners, clock);
  }

  /** Reads everything once, then what is added. */
  start(): void {
    this.startInterval(limits.usage.scan, () => this.reader.scan(this.claudeDirs));
    this.startInterval(limits.usage.retain, () => this.store.retain(this.clock.now() - limits.usage.age));
    this.reader.scan(this.claudeDirs);
    void this.readAll();
  }

  /** Replaces the Claude folders, and the transcripts of busy sessions, which are checked often. */
  follow(claudeDirs: string[], transcripts: string[]): void {
    const isNew = claudeDirs.length !== this.claudeDirs.length;
    this.claudeDirs = claudeDirs;
    this.pollTranscripts(transcripts);
    if (isNew) this.reader.scan(claudeDirs);
    else this.reader.check(transcripts);
    void this.readAll();
  }

  report(query: UsageQuery): Usage {
    const { prices, budget } = this.options;
    this.rescanSoon();
    return {
      ...reportOf(this.store, query, prices),
      reading: this.reader.progress(),
      pricesOf,
      budgets: budgetsOf(this.store, budget, prices, this.clock.now()),
    };
  }

  /** Somebody asks for figures: read what nothing else reports, after this answer. */
  private rescanSoon(): void {
    const now = elapsed(this.clock);
    if (now - this.rescannedAt < limits.usage.rescan) return;
    this.rescannedAt = now;
    setImmediate(() => {
      if (this.closed) return;
      this.reader.scan(this.claudeDirs);
      void this.readAll();
    });
  }

  /** Records what the status line says a session has cost. */
  addCostReport(report: CostReport): void {
    this.store.addCostReport(report);
  }

  forget(wanted: EngineForget): void {
    this.store.forget(wanted, this.clock.now());
  }

  close(): void {
    this.closed = true;
    for (const timer of this.timers) clearInterval(timer);
    this.store.close();
  }

  /** Reads what was found, with a break after each chunk, in which calls are answered. */
  async readAll(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      const touched = new Set<string>();
      while (!this.closed) {
        const sessions = this.reader.step();
        if (!sessions) break;
        for (const session of sessions) touched.add(session);
        await new Promise(resolve => setImmediate(resolve));
      }
      if (touched.size > 0 && !this.closed) this.checkBudgets([...touched]);
    } finally {
      this.isReading = false;
    }
  }

  private checkBudgets(sessions: string[]): void {
    const { budget, prices } = this.options;
    if (Object.values(budget).every(limit => limit === undefined)) return;
    const reached = newlyReached(this.store, budget, prices, sessions, this.clock.now());
    if (reached.length > 0) this.listeners.onBudget(reached);
  }

  private pollTranscripts(transcripts: string[]): void {
    if (this.poll) {
      clearInterval(this.poll);
      this.timers.delete(this.poll);
    }
    this.poll =
      transcripts.length > 0
        ? this.startInterval(limits.usage.poll, () => this.reader.check(transcripts))
        : null;
  }

  private startInterval(interval: number, work: () => void): NodeJS.Timeout {
    const timer = setInterval(() => {
      try {
        work();
        void this.readAll();
      } catch (error) {
        this.listeners.onError('usage could not be read', error);
      }
    }, interval);
    timer.unref();
    this.timers.add(timer);
    return timer;
  }
}
