/** Usage limits: a session that has reached one waits for its reset, and nobody can unblock it before. */
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { SessionLimit } from '../../contract/session.ts';
import type { Folded, LimitEnd, Memory } from '../memory.ts';
import { resetTimeIn } from './reset-time.ts';
import { timing } from '../timing.ts';

/** What else is known of the limit of a session: the exact time of its reset, and what its screen announces. */
export const limitSeenName = 'LimitSeen';

/** The name of a failure; null for any other text. An overloaded API is a `server_error`; only its message says that it is overloaded. */
export const failureOf = (error: unknown, message: unknown): string | null => {
  if (typeof error !== 'string' || !/^[a-z][a-z_]{0,60}$/.test(error)) return null;
  const isOverload = error === 'server_error' && /^API Error: 529\b|\boverloaded\b/i.test(String(message));
  return isOverload ? 'overloaded' : error;
};

/** Returns the limit that ended a turn; null when something else did. */
export const limitOf = (failure: string | null, message: unknown, at: number): LimitEnd | null => {
  const text = typeof message === 'string' ? message : '';
  if (failure !== 'rate_limit') return null;
  const window = windowIn(text);
  const next = resetTimeIn(text, at);
  // A window of five hours is not reset tomorrow: its time has just passed, as when the clocks of both ends differ.
  const isPast = next !== null && window === 'five_hour' && next - at > 12 * hour;
  const resetsAt = isPast ? next - 24 * hour : next;
  return { resetsAt, window, continues: isAnnounced(text) };
};

const hour = 3_600_000;

/** Whether a text says that Claude Code continues by itself after the reset, and not below that it does not. */
export const isAnnounced = (text: string): boolean => {
  const announced = text.search(/continuing automatically(?![\s\S]*continuing automatically)/i);
  const revoked = text.search(/automatic continue (?:cancelled|stopped)/i);
  return announced > revoked;
};

const windowIn = (text: string): string | null => {
  if (/\bsession limit\b|\b5-hour limit\b/i.test(text)) return 'five_hour';
  return /\bweekly limit\b|\b7-day limit\b/i.test(text) ? 'seven_day' : null;
};

/** Adds what was seen of the limit that the session waits for. */
export const reduceLimitSeen = (memory: Memory, hook: Hook): void => {
  const { end } = memory;
  if (!end?.limit || !isLimited(memory)) return;
  const { resetsAt, window, continues } = hook as Record<string, unknown>;
  memory.end = {
    ...end,
    limit: {
      resetsAt: Number.isSafeInteger(resetsAt) ? (resetsAt as number) : end.limit.resetsAt,
      window: typeof window === 'string' ? window.slice(0, 50) : end.limit.window,
      continues: typeof continues === 'boolean' ? continues : end.limit.continues,
    },
  };
};

/** Whether a limit ended the last turn, and no other has begun. */
export const isLimited = ({ end, prompted }: Memory): boolean =>
  end !== null && end.limit !== null && end.evidence.at >= prompted;

/** When a limit counts as over, so that a person should look: Claude Code or Drover may still continue the session. */
export const limitOverAt = ({ memory: { end }, continuation }: Folded): number => {
  const { resetsAt = null, continues = false } = end?.limit ?? {};
  const reset = resetsAt ?? (end?.evidence.at ?? 0) + timing.limitUnknown;
  return Math.max(
    reset + (continues ? timing.limitGrace : 0),
    continuation ? continuation.sendAt + timing.limitGrace : 0,
  );
};

/** The limit as views show it; null unless the session waits for one. */
export const shownLimit = (session: Folded): SessionLimit | null => {
  const { state, reason, memory } = session;
  if (state !== 'waiting' || reason !== 'limit' || !memory.end?.limit) return null;
  return { ...memory.end.limit, isOver: memory.settled >= limitOverAt(session) };
};

/** Events of a message that is sent after the reset. */
export const continuationEvents = {
  scheduled: 'ContinuationScheduled',
  cancelled: 'ContinuationCancelled',
  sent: 'ContinuationSent',
} as const;

export const isContinuationEvent = (name: string): boolean =>
  (Object.values(continuationEvents) as string[]).includes(name);

export const reduceContinuation = (session: Folded, { name, seq }: Event, hook: Hook): void => {
  const { sendAt, text } = hook as Record<string, unknown>;
  if (name !== continuationEvents.scheduled) session.continuation = null;
  else if (Number.isSafeInteger(sendAt) && typeof text === 'string' && isLimited(session.memory))
    session.continuation = { id: seq, sendAt: sendAt as number, text };
};
