/**
 * Applies a change of the system clock: moves every remembered time of a session by the same amount, so that ages, order and
 * deadlines stay correct when they are compared with later times.
 */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Folded } from './memory.ts';

export const clockStepName = 'ClockStepped';

/** Fields of a session that contain a time, at any depth. Zero and null mean none. */
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
  'parking',
]);

/** Changes `session`, which is the fold's own copy. */
export const reduceClockStep = (session: Folded, { by }: Hook): void => {
  if (typeof by !== 'number' || !Number.isFinite(by)) return;
  Object.assign(session, moved(session, Math.round(by)));
};

/** Whether an event only moves times: it ends no wait and no span. */
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
