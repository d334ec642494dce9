/** Sessions as tools return them: the fields of the contract that a model needs, and no more, because each one costs tokens. */
import * as z from 'zod';
import { Session } from '../contract/session.ts';
import type { Own } from './own-session.ts';
import { shownLine } from '../client/request-text.ts';

export const SessionSummary = Session.pick({
  id: true,
  title: true,
  state: true,
  reason: true,
  since: true,
  project: true,
  dir: true,
  branch: true,
  tags: true,
  model: true,
  requests: true,
  managed: true,
  driven: true,
  parked: true,
  stalled: true,
  next: true,
  origin: true,
}).extend({
  /** What it asks, or its last message, in one line. */
  line: z.string().nullable(),
  /** The session that this server runs in. Tools do not act on it. */
  isOwn: z.boolean(),
});
export type SessionSummary = z.infer<typeof SessionSummary>;

export const summaryOf = (session: Session, own: Own | null): SessionSummary =>
  SessionSummary.parse({ ...session, line: shownLine(session), isOwn: session.id === own?.id });
