/** Words for sessions of other hosts, and for the connection to them. */
import type { FleetStatus, FleetSummary } from '../contract/fleet.ts';
import { whereOf } from '../contract/origin.ts';
import type { Session } from '../contract/session.ts';
import { lastingText } from '../session/state-text.ts';
import { ago } from './text.ts';

/** Whether the host of a session sends no heartbeat, so that nothing can be done with it. */
export const isHostAway = ({ fleet }: Pick<Session, 'fleet'>): boolean => fleet?.isAway === true;

/** Whether what is shown of a session may be over: its host is away. What has ended stays so. */
export const isStale = (session: Pick<Session, 'fleet' | 'state' | 'parked'>): boolean =>
  isHostAway(session) && (session.state !== 'ended' || session.parked);

/** `away 3 min`, by the last heartbeat of its host; empty while what is shown is true. */
export const awayText = (session: Session, now: number): string => {
  if (!isStale(session)) return '';
  const { seenAt = 0 } = session.fleet ?? {};
  return seenAt > 0 ? `away ${ago(seenAt, now)}` : 'away';
};

/** Why nothing can be done with a session whose host is away; null while it is online. */
export const whyAway = (session: Session, now: number): string | null =>
  isHostAway(session) ? `${hostLabel(session)} is away: no heartbeat${silenceOf(session, now)}.` : null;

const silenceOf = ({ fleet }: Session, now: number): string =>
  fleet && fleet.seenAt > 0 ? ` for ${ago(fleet.seenAt, now)}` : '';

/** What a session did at the last heartbeat of its host: `(last: needs approval)`; empty while the host is online. */
export const lastKnownText = (session: Session): string =>
  isStale(session) ? `(last: ${lastingText(session)})` : '';

/** Whether a list needs a column for hosts. */
export const hasHosts = (sessions: Iterable<Session>): boolean => {
  for (const { fleet } of sessions) if (fleet) return true;
  return false;
};

/** The host of a session in a list that has several; empty for this one. */
export const hostLabel = (session: Session): string => whereOf(session) ?? '';

/** Says since when the other hosts cannot be reached; null while they can. */
export const unreachableText = (
  { connection, since, problem }: FleetLink,
  areShown: boolean,
): string | null => {
  if (connection === 'refused') return `The fleet refuses this host${problem ? `: ${problem}` : '.'}`;
  if (connection !== 'unreachable') return null;
  const head = `Fleet unreachable${since === null ? '' : ` since ${timeOfDay(since)}`}.`;
  return `${head} Sessions of other hosts are ${areShown ? 'shown as last known' : 'not shown'}.`;
};

/** The fleet in a few words for the head of a list: `3 hosts, devbox away`. */
export const fleetLabel = ({ connection, since, hosts }: FleetSummary): string => {
  if (connection === 'refused') return 'fleet refuses this host';
  if (connection === 'connecting') return 'connecting to the fleet';
  if (connection === 'unreachable')
    return `fleet unreachable${since === null ? '' : ` since ${timeOfDay(since)}`}`;
  const away = hosts.filter(({ isAway }) => isAway).map(({ name }) => name);
  // This machine is one of them.
  const all = `${hosts.length + 1} ${hosts.length === 0 ? 'host' : 'hosts'}`;
  if (away.length === 0) return all;
  return `${all}, ${away.length > 2 ? `${away.length} away` : `${away.join(' and ')} away`}`;
};

/** Whether something in the fleet is not as it should be. */
export const isFleetTrouble = ({ connection, hosts }: FleetSummary): boolean =>
  connection === 'unreachable' || connection === 'refused' || hosts.some(({ isAway }) => isAway);

/** The part of the state of the fleet that the text is about. */
export type FleetLink = Pick<FleetStatus, 'connection' | 'since' | 'problem'>;

/** `14:02`, with the date if that was another day. */
const timeOfDay = (at: number, now = Date.now()): string => {
  const two = (number: number) => String(number).padStart(2, '0');
  const date = new Date(at);
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday
    ? clock
    : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}`;
};
