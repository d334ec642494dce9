/**
 * What each login may do at our own broker. Signatures protect the fleet. Permissions keep a stolen worker from reading the rows
 * of others and from filling the broker in their name.
 */
import type { FleetRole } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import type { Subjects } from '../subjects.ts';

export interface Permissions {
  publish: string[];
  subscribe: string[];
  /** May answer requests that it receives. */
  mayAnswer: boolean;
}

/** `invited`: may only ask to join. */
export const permissionsOf = (subjects: Subjects, host: string, role: FleetRole | 'invited'): Permissions => {
  if (role === 'admin') return { publish: ['>'], subscribe: ['>'], mayAnswer: false };
  if (role === 'invited')
    return { publish: [subjects.join], subscribe: [`${inviteInbox}.>`], mayAnswer: false };
  const { rowStream, rosterStream, logStream } = subjects;
  const isSeat = role === 'seat';
  const [rows, hosts, logs] = isSeat
    ? [subjects.allRows, subjects.allHosts, subjects.allLogs]
    : [subjects.rowsOf(host), subjects.host(host), subjects.log(host)];
  return {
    publish: [
      subjects.rowsOf(host),
      subjects.host(host),
      subjects.log(host),
      // For the request to leave the fleet.
      subjects.join,
      ...(isSeat ? [subjects.command('*', host)] : []),
      // A reader is made with its filter in the subject, and the broker compares that with the one in the body.
      `$JS.API.CONSUMER.CREATE.${rosterStream}.*.${subjects.allRoster}`,
      ...[rows, subjects.rowsOf(host), hosts].map(
        filter => `$JS.API.CONSUMER.CREATE.${rowStream}.*.${filter}`,
      ),
      `$JS.API.CONSUMER.CREATE.${logStream}.*.${logs}`,
      // Readers have random names, so that only their maker can read from them.
      ...[rowStream, rosterStream, logStream].flatMap(stream => [
        `$JS.API.STREAM.INFO.${stream}`,
        `$JS.API.CONSUMER.INFO.${stream}.*`,
        `$JS.API.CONSUMER.DELETE.${stream}.*`,
        `$JS.API.CONSUMER.MSG.NEXT.${stream}.*`,
      ]),
      `$JS.API.DIRECT.GET.${rowStream}.${hosts}`,
      `$JS.API.DIRECT.GET.${rowStream}.${rows}`,
      `$JS.API.DIRECT.GET.${rosterStream}.${subjects.allRoster}`,
      `$JS.API.DIRECT.GET.${logStream}.${logs}`,
    ],
    subscribe: [`${subjects.inbox(host)}.>`, subjects.commandsTo(host)],
    mayAnswer: true,
  };
};

/** Where answers to requests to join go. */
export const inviteInbox = '_INBOX_join';

/** The most parts of an answer, and how long a command may wait for them. `GET /events` waits longest. */
export const answerLimits = { parts: 1_000, minutes: Math.ceil(limits.fleet.maxAnswerTime / 60_000) };
