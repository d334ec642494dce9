import { expect, test } from 'vitest';
import type { Status } from '../../contract/api.ts';
import { faultLines, limitLines } from './fault-lines.ts';

const at = new Date(2026, 10, 18, 9, 5, 7).getTime();
const none: Status['faults'] = {
  unreadableRows: 0,
  damaged: [],
  disk: { lost: 0, fullAt: null },
  limits: [],
};

test('every loss is a line of its own, and without any there is none', () => {
  expect(faultLines(none)).toEqual([]);
  expect(faultLines(undefined)).toEqual([]);
  const faults = {
    ...none,
    unreadableRows: 3,
    damaged: [{ path: '/home/me/drover.db.damaged', at }],
    disk: { lost: 1_200, fullAt: at },
  };
  expect(faultLines(faults)).toEqual([
    'the disk was full, last at 2026-11-18 09:05:07; 1,200 events could not be written and are lost',
    '3 unreadable rows of the database were skipped',
    'the database was damaged at 2026-11-18 09:05:07, moved to /home/me/drover.db.damaged and replaced',
  ]);
  expect(faultLines({ ...none, disk: { lost: 0, fullAt: at } })[0]).toMatch(/; no event was lost$/);
});

test('a limit of the log that was reached says whose history was deleted, how much, and what to change', () => {
  const reached = { at, events: 172, bytes: 5_000_000 };
  const limits: Status['faults']['limits'] = [
    { ...reached, limit: 'session', sessionId: '4dd74d42-0000-4000-8000-000000000001' },
    { ...reached, limit: 'total', sessionId: null },
  ];
  expect(limitLines({ ...none, limits })).toEqual([
    'one session (4dd74d42) reached its limit, last at 2026-11-18 09:05:07: 172 of the oldest events deleted (5.0 MB); change `retention` in config.json',
    'the log reached its limit, last at 2026-11-18 09:05:07: 172 of the oldest events deleted (5.0 MB); change `retention` in config.json',
  ]);
  expect(limitLines(undefined)).toEqual([]);
});
