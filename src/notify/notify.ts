/**
 * Notifications. When a session has waited long enough, one notice is sent for all that are due, and the next one only after
 * the cooldown. A session whose pane is in sight is left out until it is not. Each notice is an event, so a restart repeats
 * none.
 */
import type { Clock } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import type { Notice, NotifyConfig, NotifyStatus } from '../contract/notice.ts';
import type { Pane } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { acts } from '../session/deferral.ts';
import { ownEvent } from '../session/own-event.ts';
import type { Folded } from '../session/memory.ts';
import { noticesDue, notifiedAt } from '../session/notice.ts';
import { queueOf } from '../session/queue.ts';
import { digest } from './digest.ts';

export interface NotifyDeps {
  sessions: () => Folded[];
  /** Finds the panes that a focused client shows. */
  inSight: (panes: Pane[]) => Promise<Set<Pane>>;
  /** Sends a notice and returns the failures. */
  deliver: (notice: Notice, sessions: Folded[]) => Promise<string[]>;
  /** Appends events. */
  take: (drafts: Draft[]) => void;
  mask: (text: string) => string;
  onError: (message: string, error: unknown) => void;
}

export class Notify {
  readonly status: NotifyStatus;
  private timer: NodeJS.Timeout | null = null;
  /** Sessions whose pane was in sight when they were due, with the time of the next check. */
  private readonly recheckAt = new Map<string, number>();
  private isSending = false;
  private closed = false;

  constructor(
    private readonly config: NotifyConfig | undefined,
    private readonly clock: Clock,
    private readonly deps: NotifyDeps,
  ) {
    this.status = { on: config !== undefined, sent: 0, failed: 0, lastAt: null, lastFailure: null };
  }

  start(): void {
    const times = this.deps.sessions().map(notifiedAt);
    this.status.lastAt = Math.max(0, ...times) || null;
    this.schedule();
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /** Called for each session that an event changed. */
  onChange(before: Folded | undefined, after: Folded): void {
    if (before?.state !== after.state || before.since !== after.since || before.deferral !== after.deferral)
      this.schedule();
  }

  private schedule(): void {
    if (!this.config || this.isSending || this.closed) return;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const now = this.clock.now();
    const { due, next } = this.dueAt(now);
    const first = due.length ? now : next;
    if (first === null) return;
    const at = Math.max(first, this.cooldownEnd());
    this.timer = setTimeout(() => void this.notify(), Math.min(Math.max(at - now, 1), 0x7fffffff));
    this.timer.unref();
  }

  /** List the sessions that are due and were not in sight recently, and the time of the next check. */
  private dueAt(now: number): { due: Folded[]; next: number | null } {
    const { due, next } = noticesDue(
      queueOf(this.deps.sessions(), now),
      now,
      (this.config?.after ?? 0) * 1_000,
    );
    const rechecks = due.flatMap(({ id }) => this.recheckAt.get(id) ?? []).filter(at => at > now);
    const times = [...rechecks, ...(next === null ? [] : [next])];
    return {
      due: due.filter(({ id }) => (this.recheckAt.get(id) ?? 0) <= now),
      next: times.length ? Math.min(...times) : null,
    };
  }

  private cooldownEnd(): number {
    return (this.status.lastAt ?? Number.NEGATIVE_INFINITY) + (this.config?.cooldown ?? 0) * 1_000;
  }

  private async notify(): Promise<void> {
    this.isSending = true;
    const now = this.clock.now();
    const { due } = this.dueAt(now);
    for (const [id, at] of this.recheckAt) if (at <= now) this.recheckAt.delete(id);
    try {
      const inSight = await this.deps.inSight(due.flatMap(({ pane }) => pane ?? []));
      const away = due.filter(({ pane }) => !pane || !inSight.has(pane));
      // No event reports that a pane is out of sight again, so check later.
      for (const session of due)
        if (!away.includes(session)) this.recheckAt.set(session.id, now + limits.notify.recheck);
      if (away.length > 0) await this.send(away, now);
    } catch (error) {
      this.deps.onError('notification failed', error);
      for (const { id } of due) this.recheckAt.set(id, now + limits.notify.recheck);
    } finally {
      this.isSending = false;
      this.schedule();
    }
  }

  private async send(sessions: Folded[], now: number): Promise<void> {
    const { status, deps } = this;
    status.lastAt = now;
    deps.take(sessions.map(({ id }) => ownEvent(acts.notify, id, now)));
    const problems = await deps.deliver(digest(sessions, now, deps.mask), sessions);
    status.sent++;
    if (problems.length === 0) return;
    status.failed++;
    status.lastFailure = deps.mask(problems.join('; '));
  }
}
