/**
 * What people did about a waiting session: skipped, snoozed, dismissed, claimed. It belongs to one wait, known by its
 * `since`: when the session leaves `waiting`, the next wait has another `since` and finds nothing of it.
 */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Hold } from '../contract/session.ts';
import type { Folded } from './memory.ts';

/** The names of the events that people cause, and of the one that tells them. */
export const acts = {
  skip: 'Skipped',
  snooze: 'Snoozed',
  dismiss: 'Dismissed',
  claim: 'Claimed',
  notify: 'Notified',
} as const;

/** Writes what this event says was done about the session into it. One that does not wait is left as it is. */
export const reduceDeferral = (session: Folded, event: Event, payload: Hook): void => {
  if (session.state !== 'waiting' && !session.stalled?.queued) return;
  const hold = holdOf(session) ?? empty(session.since);
  switch (event.name) {
    case acts.skip:
      session.hold = { ...hold, skipped: event.at };
      return;
    case acts.snooze:
      if (typeof payload.until === 'number') session.hold = { ...hold, snoozed: payload.until };
      return;
    case acts.dismiss:
      session.hold = { ...hold, dismissed: session.reason };
      return;
    case acts.notify:
      session.hold = { ...hold, notified: event.at };
      return;
    case acts.claim:
      if (typeof payload.by === 'string' && typeof payload.until === 'number')
        session.hold = { ...hold, claim: { by: payload.by, until: payload.until } };
      return;
    default:
      return;
  }
};

/** What was done about the present wait of a session; null for nothing. */
export const holdOf = ({ hold, since }: Pick<Folded, 'hold' | 'since'>): Hold | null =>
  hold?.since === since ? hold : null;

const empty = (since: number): Hold => ({
  since,
  skipped: null,
  snoozed: null,
  dismissed: null,
  claim: null,
  notified: null,
});
