/** What went wrong with what is kept, a line each. */
import type { Status } from '../../contract/api.ts';
import { clockTime, count, size } from './say.ts';

/** Empty when nothing did. A daemon of an earlier version does not say. */
export const faultLines = (faults: Status['faults'] | undefined): string[] => {
  if (!faults) return [];
  const { unreadableRows, damaged, disk } = faults;
  return [
    ...(disk?.fullAt ? [diskLine(disk.lost, disk.fullAt)] : []),
    ...(unreadableRows > 0
      ? [`${count(unreadableRows)} rows of the database skipped: they cannot be read`]
      : []),
    ...damaged.map(
      ({ path, at }) =>
        `a database was damaged at ${clockTime(at)} and moved to ${path}; a new one was started`,
    ),
  ];
};

/** The disk was full, and what that cost. */
export const diskLine = (lost: number, fullAt: number): string =>
  `the disk was full, last at ${clockTime(fullAt)}; ${lost > 0 ? `${count(lost)} events could not be written and are lost` : 'no event was lost'}`;

/** Limits of the log that were reached: no fault, but history went. */
export const limitLines = (faults: Status['faults'] | undefined): string[] =>
  (faults?.limits ?? []).map(({ limit, at, sessionId, events, bytes }) => {
    const whose = limit === 'session' ? `one session (${sessionId?.slice(0, 8)})` : 'the log';
    return `${whose} reached its limit, last at ${clockTime(at)}: ${count(events)} of the oldest events removed (${size(bytes)}); \`retention\` in config.json sets it`;
  });
