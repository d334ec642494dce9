/** Subjects and streams of one fleet on the broker. */
import { createHash } from 'node:crypto';
import { base32 } from './base32.ts';

export const subjectsOf = (fleet: string) => {
  const root = `drover.${fleet}`;
  const streams = fleet.toUpperCase();
  return {
    root,
    row: (host: string, session: string) => `${root}.row.${host}.${sessionToken(session)}`,
    rowsOf: (host: string) => `${root}.row.${host}.*`,
    allRows: `${root}.row.*.*`,
    host: (host: string) => `${root}.host.${host}`,
    allHosts: `${root}.host.*`,
    log: (host: string) => `${root}.log.${host}`,
    allLogs: `${root}.log.*`,
    roster: (host: string) => `${root}.roster.${host}`,
    allRoster: `${root}.roster.*`,
    command: (to: string, from: string) => `${root}.do.${to}.${from}`,
    commandsTo: (to: string) => `${root}.do.${to}.*`,
    join: `${root}.join`,
    /** Streams: the last row of each session and the last card of each host; the members; the outlines of events. */
    rowStream: `DROVER_${streams}_ROWS`,
    rosterStream: `DROVER_${streams}_ROSTER`,
    logStream: `DROVER_${streams}_LOG`,
    inbox: (host: string) => `_INBOX_${host}`,
  };
};

export type Subjects = ReturnType<typeof subjectsOf>;

/** A worker can list the subjects of the stream, so they must not contain the ids of others' sessions. */
const sessionToken = (session: string): string =>
  base32(createHash('sha256').update(session).digest()).slice(0, 26);
