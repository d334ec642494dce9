/** The streams of a fleet: the last row of each session and card of each host, the members, and the outlines of events. */
import { limits } from '../limits.ts';
import type { StreamSettings } from './bus.ts';
import type { Subjects } from './subjects.ts';

export const streamsOf = (subjects: Subjects, replicas: number): StreamSettings[] => {
  const { rowAge, rowBytes, logAge, logBytes, rosterBytes } = limits.fleet;
  return [
    {
      name: subjects.rowStream,
      subjects: [subjects.allRows, subjects.allHosts],
      lastOnly: true,
      maxAgeMs: rowAge,
      maxBytes: rowBytes,
      replicas,
    },
    {
      name: subjects.rosterStream,
      subjects: [subjects.allRoster],
      lastOnly: true,
      maxAgeMs: 0,
      maxBytes: rosterBytes,
      replicas,
    },
    {
      name: subjects.logStream,
      subjects: [subjects.allLogs],
      lastOnly: false,
      maxAgeMs: logAge,
      maxBytes: logBytes,
      replicas,
    },
  ];
};
