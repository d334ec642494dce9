/** What went wrong with what is kept, a line each. */
import type { Status } from '../contract/api.ts';
import { clockTime, count, size } from './say.ts';

/** Empty when nothing did. A daemon of an earlier version does not say. */
export const faultLines = (faults: Status['faults'] | undefined): string[] => {
  if (!faults) return [];
  const { unreadableRows, damaged } = faults;
  return [
    ...(unreadableRows > 0
      ? [`${count(unreadableRows)} rows of the database skipped: they cannot be read`]
      : []),
    ...damaged.map(
      ({ path, at }) =>
        `a database was damaged at ${clockTime(at)} and moved to ${path}; a new one was started`,
    ),
  ];
};

/** Limits of the log that were reached: no fault, but history went. */
export const limitLines = (faults: Status['faults'] | undefined): string[] =>
  (faults?.limits ?? []).map(({ limit, at, sessionId, events, bytes }) => {
    const whose = limit === 'session' ? `one session (${sessionId?.slice(0, 8)})` : 'the log';
    return `${whose} reached its limit, last at ${clockTime(at)}: ${count(events)} of the oldest events removed (${size(bytes)}); \`retention\` in config.json sets it`;
  });
