/** Turn key requests into events of the queue. */
import type { Draft } from '../../contract/event.ts';
import { queueEvents } from '../../session/queue/deferral.ts';
import type { Folded } from '../../session/memory.ts';
import { ownEvent } from '../../session/own-event.ts';
import type { Queued } from '../../session/queue/queue.ts';
import { timing } from '../../session/timing.ts';
import type { KeyRequest } from './key-requests.ts';

/** Describe a key request for the audit log. */
export const keyAction = ({ verb, client }: KeyRequest, { sessionId, at }: Draft) => ({
  action: verb,
  caller: { kind: 'tmux' as const, name: client || null, session: null },
  session: sessionId,
  at,
});

/** Return the event for a key request; null when there is nothing to do. */
export const keyRequestDraft = (
  { verb, pane, client }: KeyRequest,
  socket: string,
  queue: Queued<Folded>[],
  now: number,
): Draft | null => {
  const here = queue.filter(
    ({ session, deferred }) =>
      session.pane?.socket === socket && (deferred === null || deferred === 'claimed'),
  );
  const own = here.find(({ session }) => session.pane?.id === pane);
  const draft = (name: string, { session }: Queued<Folded>, fields: object): Draft =>
    ownEvent(name, session.id, now, fields);
  if (verb === 'claim')
    return own && client
      ? draft(queueEvents.claim, own, { by: client, until: now + timing.claimPeriod })
      : null;
  // In a waiting pane the key skips that session, anywhere else the head of the queue.
  const target = own ?? here[0];
  return verb === 'skip' && target ? draft(queueEvents.skip, target, {}) : null;
};
