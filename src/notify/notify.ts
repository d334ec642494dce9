/**
 * Telling someone who is away. When a session has waited for long enough, one notice goes out with all that are due; the
 * next one not before the cooldown is over. A session whose pane somebody looks at is left out until they look away. That
 * it was told of is an event, so a restart tells nobody twice.
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

export interface Surroundings {
  sessions: () => Folded[];
  /** Which of these panes somebody looks at. */
  inSight: (panes: Pane[]) => Promise<Set<Pane>>;
  /** Tells it, and returns what went wrong. */
  deliver: (notice: Notice, sessions: Folded[]) => Promise<string[]>;
  /** Keeps an event. */
  take: (drafts: Draft[]) => void;
  mask: (text: string) => string;
  onError: (message: string, error: unknown) => void;
}

export class Notify {
  readonly status: NotifyStatus;
  private timer: NodeJS.Timeout | null = null;
  /** Sessions whose pane somebody looked at when they were due, and when to look again. */
  private readonly seen = new Map<string, number>();
  private telling = false;
  private closed = false;

  constructor(
    private readonly config: NotifyConfig | undefined,
    private readonly clock: Clock,
    private readonly world: Surroundings,
  ) {
    this.status = { on: config !== undefined, sent: 0, failed: 0, lastAt: null, lastFailure: null };
  }

  start(): void {
    const times = this.world.sessions().map(notifiedAt);
    this.status.lastAt = Math.max(0, ...times) || null;
    this.wind();
  }

  close(): void {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /** A session changed. */
  hear(before: Folded | undefined, after: Folded): void {
    if (before?.state !== after.state || before.since !== after.since || before.hold !== after.hold)
      this.wind();
  }

  private wind(): void {
    if (!this.config || this.telling || this.closed) return;
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const now = this.clock.now();
    const { due, next } = this.look(now);
    const first = due.length ? now : next;
    if (first === null) return;
    const at = Math.max(first, this.coolUntil());
    this.timer = setTimeout(() => void this.tell(), Math.min(Math.max(at - now, 1), 0x7fffffff));
    this.timer.unref();
  }

  /** Who is due and was not in sight a moment ago, and when the next look is worth it. */
  private look(now: number): { due: Folded[]; next: number | null } {
    const { due, next } = noticesDue(
      queueOf(this.world.sessions(), now),
      now,
      (this.config?.after ?? 0) * 1_000,
    );
    const again = due.flatMap(({ id }) => this.seen.get(id) ?? []).filter(at => at > now);
    const times = [...again, ...(next === null ? [] : [next])];
    return {
      due: due.filter(({ id }) => (this.seen.get(id) ?? 0) <= now),
      next: times.length ? Math.min(...times) : null,
    };
  }

  private coolUntil(): number {
    return (this.status.lastAt ?? Number.NEGATIVE_INFINITY) + (this.config?.cooldown ?? 0) * 1_000;
  }

  private async tell(): Promise<void> {
    this.telling = true;
    const now = this.clock.now();
    const { due } = this.look(now);
    for (const [id, at] of this.seen) if (at <= now) this.seen.delete(id);
    try {
      const inSight = await this.world.inSight(due.flatMap(({ pane }) => pane ?? []));
      const away = due.filter(({ pane }) => !pane || !inSight.has(pane));
      // Nothing says when somebody looks away, so it is looked again.
      for (const session of due)
        if (!away.includes(session)) this.seen.set(session.id, now + limits.notify.recheck);
      if (away.length > 0) await this.send(away, now);
    } catch (error) {
      this.world.onError('nobody could be told', error);
      for (const { id } of due) this.seen.set(id, now + limits.notify.recheck);
    } finally {
      this.telling = false;
      this.wind();
    }
  }

  private async send(sessions: Folded[], now: number): Promise<void> {
    const { status, world } = this;
    status.lastAt = now;
    world.take(sessions.map(({ id }) => ownEvent(acts.notify, id, now)));
    const problems = await world.deliver(digest(sessions, now, world.mask), sessions);
    status.sent++;
    if (problems.length === 0) return;
    status.failed++;
    status.lastFailure = world.mask(problems.join('; '));
  }
}
