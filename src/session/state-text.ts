/** The state of a session in the words that people read. Programs read `state` and `reason`. */
import type { OutcomeKind, Reason, Session, State } from '../contract/session.ts';
import { deferralOf } from './queue/deferral.ts';
import { lengthText } from './request/past-text.ts';

type Stated = Pick<Session, 'state' | 'reason' | 'stalled' | 'deferral' | 'since' | 'parked'> &
  Partial<Pick<Session, 'limit' | 'failure' | 'outcome' | 'deadline' | 'denied' | 'version'>>;

/** Describe what a session is doing or what it needs: `needs approval`, `done`, `no progress for 22 min`. */
export const stateText = (session: Stated, now: number): string => {
  const { stalled, deadline } = session;
  if (isStalled(session) && stalled) return `no progress for ${lengthText(Math.max(0, now - stalled.since))}`;
  return hasDeadline(session) && deadline != null
    ? `${reasonText(session)}, ${countdownText(deadline, now)} left`
    : lastingText(session);
};

/** `1:43`, and `0:00` after the time is over. */
export const countdownText = (deadline: number, now: number): string => {
  const seconds = Math.max(0, Math.round((deadline - now) / 1_000));
  return `${Math.floor(seconds / 60)}:${twoDigits(seconds % 60)}`;
};

/** The same without a running time, for places that are not redrawn every second. */
export const lastingText = (session: Stated): string => {
  const { state, reason } = session;
  if (session.parked) return 'parked';
  if (isStalled(session)) return 'no progress';
  const ended = outcomeTexts[session.outcome?.kind ?? 'done'];
  if (state === 'waiting' && ended) return `${ended}${deniedSuffix(session)}`;
  if (reason === 'stopped' && state === 'waiting')
    return `${isSeen(session) ? 'idle' : 'done'}${deniedSuffix(session)}`;
  if (hasDeadline(session) && session.deadline != null)
    return `${reasonText(session)} by ${secondsTime(session.deadline)}`;
  if (state === 'waiting' && reason === 'limit') return limitText(session);
  if (state === 'waiting' && reason === 'failed')
    return failureTexts[session.failure ?? ''] ?? reasonTexts.failed;
  // The version is known once the CLI is past its start.
  if (reason === 'dialog' && session.version != null) return 'dialog open';
  return reason ? reasonTexts[reason] : stateTexts[state];
};

/** `, 2 denied`: calls that Claude Code denied in the turn that is over. */
const deniedSuffix = ({ denied }: Stated): string => (denied?.turn ? `, ${denied.turn} denied` : '');

const hasDeadline = ({ state, deadline }: Stated): boolean => state === 'waiting' && deadline != null;

const reasonText = ({ state, reason }: Stated): string => (reason ? reasonTexts[reason] : stateTexts[state]);

/** `14:03:10` */
const secondsTime = (time: number): string =>
  `${shortTime(time, time)}:${twoDigits(new Date(time).getSeconds())}`;

/** `limit until 14:00`. A reset on another day names the day. */
const limitText = ({ limit, since }: Stated): string => {
  if (limit?.isOver) return 'limit over';
  return limit?.resetsAt == null ? reasonTexts.limit : `limit until ${shortTime(limit.resetsAt, since)}`;
};

/** A time of day; with the weekday if it is far from `from`. */
export const shortTime = (time: number, from: number): string => {
  const date = new Date(time);
  const clock = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
  return time - from < 20 * 3_600_000 ? clock : `${weekdays[date.getDay()]} ${clock}`;
};

const twoDigits = (number: number): string => String(number).padStart(2, '0');
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The words for a past state, when only state and reason are known. */
export const pastStateText = ({ state, reason }: Pick<Session, 'state' | 'reason'>): string =>
  reason ? reasonTexts[reason] : stateTexts[state];

/** Whether somebody has looked at a session since it began to wait. */
export const isSeen = (session: Pick<Session, 'deferral' | 'since'>): boolean =>
  deferralOf(session)?.seen != null;

/** Whether it has finished and nobody has looked at it yet. */
export const isUnseen = (session: Stated): boolean =>
  session.state === 'waiting' && session.reason === 'stopped' && !isSeen(session);

const isStalled = ({ state, stalled }: Stated): boolean =>
  stalled !== null && state !== 'waiting' && state !== 'ended';

/** Outcomes that a person must act on. What is done is *done* until somebody has looked at it, then *idle*. */
const outcomeTexts: Partial<Record<OutcomeKind, string>> = {
  asks: 'asks you',
  stopped_early: 'stopped early',
};

const stateTexts: Record<State, string> = {
  ready: 'new',
  working: 'working',
  waiting: 'waiting',
  background: 'background task',
  ended: 'ended',
};

const reasonTexts: Record<Reason, string> = {
  stopped: 'done',
  permission: 'needs approval',
  question: 'has a question',
  plan: 'plan to review',
  elicitation: 'needs input',
  dialog: 'start-up dialog',
  interrupted: 'interrupted',
  failed: 'error',
  limit: 'usage limit',
  exit: 'ended',
  clear: 'cleared',
  killed: 'killed',
  lost: 'lost',
};

/** Failures that have a name, as Claude Code calls them. Any other is an error. */
const failureTexts: { [failure: string]: string | undefined } = {
  overloaded: 'overloaded',
  authentication_failed: 'not signed in',
  oauth_org_not_allowed: 'not signed in',
  billing_error: 'billing problem',
};
