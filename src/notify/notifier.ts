/**
 * Sends notifications. When a session has waited long enough, one notice is sent for all that are due. A session in sight, in
 * its cooldown or in quiet hours is left out until that is over, which the log records with the reason. Each notice is an event
 * of its session, so a restart repeats none.
 */
import { type Clock, schedule } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import type { Notice, NotifyStatus, Suppression } from '../contract/notice.ts';
import { limits } from '../limits.ts';
import { queueEvents, deferralOf } from '../session/queue/deferral.ts';
import type { Folded } from '../session/memory.ts';
import { needsPerson, noticesDue, notifiedAt, urgentAt } from '../session/queue/notice.ts';
import { ownEvent } from '../session/own-event.ts';
import { queueChangesAt, queueOf } from '../session/queue/queue.ts';
import { isSeen } from '../session/state-text.ts';
import type { Delivery } from './channel.ts';
import { digest } from './digest.ts';
import { type Announcement, joinAnnouncements, maskAnnouncement } from './announcement.ts';
import type { NoticeLog } from './notice-log.ts';
import type { NoticePolicy } from './policy.ts';
import { quietUntil } from './quiet-hours.ts';

export interface NotifyDeps {
  /** Whether there is a channel to send by. */
  isOn: () => boolean;
  sessions: () => Folded[];
  /** Finds the sessions that somebody is looking at, by their ids. */
  inSight: (sessions: Folded[]) => Promise<Set<string>>;
  deliver: (notice: Notice) => Promise<Delivery[]>;
  log: NoticeLog;
  /** Appends events. */
  record: (drafts: Draft[]) => void;
  mask: (text: string) => string;
  onError: (message: string, error: unknown) => void;
}

export class Notifier {
  private readonly counts = { sent: 0, failed: 0, suppressed: 0 };
  private lastAt: number | null = null;
  private lastFailure: string | null = null;
  private cancelTimer = (): void => {};
  /** Waits that were due but suppressed, with the time of the next check. */
  private readonly recheckAt = new Map<string, number>();
  private lastNotices = new Map<string, number>();
  /** Announcements of quiet hours. */
  private announcements: Announcement[] = [];
  private isSending = false;
  private closed = false;

  constructor(
    private readonly policy: NoticePolicy,
    private readonly clock: Clock,
    private readonly deps: NotifyDeps,
  ) {}

  get status(): NotifyStatus {
    const { counts, lastAt, lastFailure } = this;
    return { on: this.deps.isOn(), ...counts, lastAt, lastFailure };
  }

  start(): void {
    this.lastNotices = this.deps.log.lastNotices();
    // The event is recorded before the notice is sent, the log after it.
    for (const session of this.deps.sessions())
      this.lastNotices.set(session.id, Math.max(this.lastNotices.get(session.id) ?? 0, notifiedAt(session)));
    this.lastAt = Math.max(0, ...this.lastNotices.values()) || null;
    this.schedule();
  }

  close(): void {
    this.closed = true;
    this.cancelTimer();
  }

  /** Called for each session that an event changed. */
  onChange(before: Folded | undefined, after: Folded): void {
    if (
      before?.state !== after.state ||
      before.since !== after.since ||
      before.deferral !== after.deferral ||
      before.deadline !== after.deadline ||
      before.requests.at(-1)?.id !== after.requests.at(-1)?.id
    )
      this.schedule();
  }

  /** Called when the policy has changed: what was suppressed by the old one is checked again. */
  onPolicy(): void {
    this.recheckAt.clear();
    this.schedule();
  }

  /** Sets the timer for the next notice. Call it when `isOn` may have changed. */
  schedule(): void {
    if (this.isSending || this.closed) return;
    this.cancelTimer();
    if (!this.deps.isOn()) return;
    const now = this.clock.now();
    const { due, next } = this.dueAt(now);
    const afterQuiet = this.announcements.length ? (quietUntil(this.policy.quietHours, now) ?? now) : null;
    const times = [due.length ? now : null, next, afterQuiet].filter(time => time !== null);
    if (times.length === 0) return;
    const isUrgent = due.some(session => urgentAt(session) !== null);
    const at = isUrgent ? now : Math.max(Math.min(...times), this.cooldownEnd(now));
    this.cancelTimer = schedule(this.clock, Math.max(at - now, 1), () => void this.notify());
  }

  /** Sends a notice that is not about waiting sessions; in quiet hours after them. */
  async announce(announcement: Announcement): Promise<void> {
    if (!this.deps.isOn()) return;
    const now = this.clock.now();
    const masked = maskAnnouncement(announcement, this.deps.mask);
    if (quietUntil(this.policy.quietHours, now) === null) {
      await this.send({ at: now, ...masked, sessions: [] });
      return;
    }
    this.announcements = [...this.announcements, masked].slice(-limits.notify.announcements);
    this.noteSuppressed(masked.title, [], null, 'quiet hours');
    this.schedule();
  }

  /** Sends a test by every channel now, whatever the policy says. */
  test(): Promise<Delivery[]> {
    const text = 'This is a test by `drover notify test`.';
    return this.send({ at: this.clock.now(), title: 'Drover can notify you', text, sessions: [] });
  }

  /** Lists the sessions that are due by `until` and were not suppressed recently, and the time of the next check. */
  private dueAt(now: number, until = now): { due: Folded[]; next: number | null } {
    const sessions = this.deps.sessions();
    const { due, next } = noticesDue(queueOf(sessions, now), until, this.policy);
    const appears = queueChangesAt([], sessions, now);
    const rechecks = due.map(session => this.recheckAt.get(waitOf(session)) ?? 0);
    const later = [...rechecks.filter(at => at > now), ...[next, appears].flatMap(at => at ?? [])].filter(
      Number.isFinite,
    );
    return {
      due: due.filter((_, index) => (rechecks[index] as number) <= now),
      next: later.length ? Math.min(...later) : null,
    };
  }

  private cooldownEnd(now: number): number {
    return endOf(this.lastAt, this.policy.cooldown, now) ?? 0;
  }

  private async notify(): Promise<void> {
    this.isSending = true;
    const now = this.clock.now();
    // With `oncePerWait` a notice must not be early: its time shows which waits it has covered.
    const { due } = this.dueAt(now, this.policy.oncePerWait ? now : now + limits.notify.together);
    const open = new Set(this.deps.sessions().map(waitOf));
    for (const [wait, at] of this.recheckAt) if (at <= now || !open.has(wait)) this.recheckAt.delete(wait);
    try {
      const quietEnd = quietUntil(this.policy.quietHours, now);
      if (quietEnd === null) await this.sendDue(await this.unsuppressed(due, now), now);
      else for (const session of due) this.suppress(session, 'quiet hours', quietEnd);
    } catch (error) {
      this.deps.onError('notification failed', error);
      for (const session of due) this.recheckAt.set(waitOf(session), now + limits.notify.recheck);
    } finally {
      this.isSending = false;
      this.schedule();
    }
  }

  /** Leaves out the sessions that are in their cooldown, that somebody has seen, or that are in sight. */
  private async unsuppressed(due: Folded[], now: number): Promise<Folded[]> {
    const news = due.filter(session => {
      const cools =
        wasSnoozed(session, now) || urgentAt(session) !== null
          ? null
          : endOf(this.lastNotices.get(session.id) || null, this.policy.sessionCooldown, now);
      if (cools !== null) this.suppress(session, 'cooldown', cools);
      const isOld = !this.policy.oncePerWait && !needsPerson(session) && isSeen(session);
      // Suppressed until the session waits again.
      if (isOld && cools === null) this.suppress(session, 'seen', Number.POSITIVE_INFINITY);
      return cools === null && !isOld;
    });
    if (news.length === 0) return [];
    const inSight = await this.deps.inSight(news);
    // No event reports that a session is out of sight again, so check later.
    for (const session of news)
      if (inSight.has(session.id)) this.suppress(session, 'in sight', now + limits.notify.recheck);
    return news.filter(({ id }) => !inSight.has(id));
  }

  private suppress(session: Folded, reason: Suppression, until: number): void {
    this.recheckAt.set(waitOf(session), until);
    const { id, since } = session;
    if (this.deps.log.hasSuppressed(id, since, reason)) return;
    const { title } = digest([session], this.clock.now(), this.deps.mask);
    this.noteSuppressed(title, [id], since, reason);
  }

  private noteSuppressed(title: string, sessions: string[], since: number | null, reason: Suppression): void {
    this.counts.suppressed++;
    const at = this.clock.now();
    this.deps.log.add({ at, outcome: 'suppressed', channel: null, title, reason, sessions, since });
  }

  private async sendDue(sessions: Folded[], now: number): Promise<void> {
    if (sessions.length > 0) {
      this.lastAt = now;
      for (const { id } of sessions) this.lastNotices.set(id, now);
      this.deps.record(sessions.map(({ id }) => ownEvent(queueEvents.notify, id, now)));
      await this.send(digest(sessions, now, this.deps.mask));
    }
    // Announcements need a separate notice: push and ntfy build the text about sessions from the sessions alone.
    const joined = joinAnnouncements(this.announcements.splice(0));
    if (joined) await this.send({ at: now, ...joined, sessions: [] });
  }

  private async send(notice: Notice): Promise<Delivery[]> {
    const { log, mask, deliver } = this.deps;
    const deliveries = await deliver(notice);
    this.counts.sent++;
    const failures = deliveries.flatMap(({ channel, failure }) =>
      failure ? [`${channel}: ${failure}`] : [],
    );
    if (failures.length > 0) {
      this.counts.failed++;
      this.lastFailure = mask(failures.join('; '));
    }
    const sessions = notice.sessions.map(({ id }) => id);
    for (const { channel, failure } of deliveries)
      log.add({
        at: notice.at,
        outcome: failure === null ? 'sent' : 'failed',
        channel,
        title: notice.title,
        reason: failure && mask(failure).slice(0, limits.notify.reasonText),
        sessions,
        since: null,
      });
    return deliveries;
  }
}

const waitOf = ({ id, since }: Folded): string => `${since} ${id}`;

/** Returns when a pause after `start` ends; null when it is over, or when the clock was set back to before it. */
const endOf = (start: number | null, pause: number, now: number): number | null =>
  start !== null && start <= now && now < start + pause ? start + pause : null;

/** Whoever snoozed a session wants to be notified at that time. */
const wasSnoozed = (session: Folded, now: number): boolean => {
  const snoozed = deferralOf(session)?.snoozed ?? null;
  return snoozed !== null && snoozed <= now && snoozed > notifiedAt(session);
};
