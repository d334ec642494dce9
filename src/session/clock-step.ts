/**
 * The clock was set. What is remembered of a session is measured against times that are still to come, so all of it moves
 * along: ages, order and deadlines stay what they were.
 */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Folded } from './memory.ts';

export const clockStepName = 'ClockStepped';

/** Fields of a session that hold a time, wherever they stand. Zero and null mean that there is none. */
const times = new Set([
  'at',
  'since',
  'until',
  'started',
  'touched',
  'began',
  'prompted',
  'progress',
  'called',
  'cleared',
  'hooked',
  'unhooked',
  'settled',
  'due',
  'skipped',
  'snoozed',
  'notified',
]);

/** Writes it into the session, which is the fold's own copy. */
export const hearClockStep = (session: Folded, { by }: Hook): void => {
  if (typeof by !== 'number' || !Number.isFinite(by)) return;
  Object.assign(session, moved(session, Math.round(by)));
};

/** Whether an event changes nothing but times: no wait and no span ends with it. */
export const isClockStep = ({ source, name }: Event): boolean =>
  source === 'drover' && name === clockStepName;

const moved = (value: unknown, by: number): unknown => {
  if (Array.isArray(value)) return value.map(item => moved(item, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      times.has(key) && typeof item === 'number' && item > 0 ? Math.max(1, item + by) : moved(item, by),
    ]),
  );
};
