/**
 * Deferrals: a waiting session was skipped, snoozed, dismissed or claimed. A deferral belongs to one wait, identified by its
 * `since`: the next wait has another `since`, so the deferral no longer applies.
 */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Deferral } from '../../contract/session.ts';
import type { Folded } from '../memory.ts';

/** The events of the queue: what people do or looked at, and that a notification was sent. */
export const queueEvents = {
  skip: 'Skipped',
  snooze: 'Snoozed',
  dismiss: 'Dismissed',
  claim: 'Claimed',
  notify: 'Notified',
  undo: 'Undeferred',
  see: 'Seen',
} as const;

/** Applies such an event. A session that does not wait stays as it is. */
export const reduceDeferral = (session: Folded, event: Event, payload: Hook): void => {
  if (session.state !== 'waiting' && !session.stalled?.queued) return;
  const deferral = deferralOf(session) ?? emptyDeferral(session.since);
  switch (event.name) {
    case queueEvents.skip:
      session.deferral = { ...deferral, skipped: event.at };
      return;
    case queueEvents.snooze:
      if (typeof payload.until === 'number') session.deferral = { ...deferral, snoozed: payload.until };
      return;
    case queueEvents.dismiss:
      session.deferral = { ...deferral, dismissed: session.reason };
      return;
    case queueEvents.undo:
      session.deferral = { ...deferral, skipped: null, snoozed: null, dismissed: null };
      return;
    case queueEvents.see:
      session.deferral = { ...deferral, seen: deferral.seen ?? event.at };
      return;
    case queueEvents.notify:
      session.deferral = { ...deferral, notified: event.at };
      return;
    case queueEvents.claim:
      if (typeof payload.by === 'string' && typeof payload.until === 'number')
        session.deferral = { ...deferral, claim: { by: payload.by, until: payload.until } };
      return;
    default:
      return;
  }
};

/** Returns the deferral of the present wait; null when there is none. */
export const deferralOf = ({ deferral, since }: Pick<Folded, 'deferral' | 'since'>): Deferral | null =>
  deferral?.since === since ? deferral : null;

export const emptyDeferral = (since: number): Deferral => ({
  since,
  skipped: null,
  snoozed: null,
  dismissed: null,
  claim: null,
  notified: null,
  seen: null,
});
