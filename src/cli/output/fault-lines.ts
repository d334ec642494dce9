/** Formats storage faults and limits of the daemon's status. */
import type { Status } from '../../contract/api.ts';
import { clockTime, count, size } from './format.ts';
import { shortId } from '../../contract/short-id.ts';

/** Returns one line per fault. An older daemon reports none. */
export const faultLines = (faults: Status['faults'] | undefined): string[] => {
  if (!faults) return [];
  const { unreadableRows, damaged, disk } = faults;
  return [
    ...(disk?.fullAt ? [diskLine(disk.lost, disk.fullAt)] : []),
    ...(unreadableRows > 0 ? [`${count(unreadableRows)} unreadable rows of the database were skipped`] : []),
    ...damaged.map(
      ({ path, at }) => `the database was damaged at ${clockTime(at)}, moved to ${path} and replaced`,
    ),
  ];
};

/** Reports that the disk was full, and how many events were lost. */
export const diskLine = (lost: number, fullAt: number): string =>
  `the disk was full, last at ${clockTime(fullAt)}; ${lost > 0 ? `${count(lost)} events could not be written and are lost` : 'no event was lost'}`;

/** Reports limits that were reached. Not faults, but history was deleted. */
export const limitLines = (faults: Status['faults'] | undefined): string[] =>
  (faults?.limits ?? []).map(({ limit, at, sessionId, events, bytes }) => {
    const whose = limit === 'session' ? `one session (${shortId(sessionId ?? '')})` : 'the log';
    return `${whose} reached its limit, last at ${clockTime(at)}: ${count(events)} of the oldest events deleted (${size(bytes)}); change \`retention\` in config.json`;
  });
