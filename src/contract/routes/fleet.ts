/** The machines of the fleet, and the queue over all of them. */
import { Ack } from '../api.ts';
import { FleetStatus, Invitation, Invite, Revoked } from '../fleet.ts';
import { accessErrors, bodyErrors, type Route } from './route.ts';

export const fleetRoutes = [
  {
    id: 'readFleet',
    method: 'GET',
    path: '/fleet',
    level: 'read',
    group: 'fleet',
    summary: 'Read the hosts of the fleet, and whether its broker is connected.',
    answer: FleetStatus,
    errors: accessErrors,
  },
  {
    id: 'followFleet',
    method: 'GET',
    path: '/fleet/events',
    level: 'read',
    group: 'fleet',
    summary:
      'Stream outlines of the events of all hosts: time, source, name and session, without texts. Resumes after a Last-Event-ID.',
    query: { after: 'the last `id:` that was received' },
    answer: 'stream',
    errors: [...accessErrors, 'bad_cursor', 'not_joined', 'busy'],
  },
  {
    id: 'reloadFleet',
    method: 'POST',
    path: '/fleet/reload',
    level: 'local',
    audit: 'fleet-reload',
    group: 'fleet',
    summary:
      'Reload the membership: connect to a fleet that was joined, or disconnect from one that was left.',
    answer: Ack,
    errors: [...accessErrors, 'bad_fleet'],
  },
  {
    id: 'inviteHost',
    method: 'POST',
    path: '/fleet/invite',
    level: 'local',
    audit: 'fleet-invite',
    group: 'fleet',
    summary: 'Make a token that lets one host join the fleet, once, within an hour.',
    body: Invite,
    answer: Invitation,
    errors: [...accessErrors, ...bodyErrors, 'not_joined', 'refused'],
  },
  {
    id: 'revokeHost',
    method: 'POST',
    path: '/fleet/hosts/:id/revoke',
    level: 'local',
    audit: 'fleet-revoke',
    group: 'fleet',
    summary: 'Revoke a host. Its sessions disappear everywhere, and no host accepts anything from it.',
    names: 'The id of the host.',
    pattern: /^[a-z2-7]{16}$/,
    answer: Revoked,
    errors: [...accessErrors, 'bad_id', 'not_joined', 'refused', 'no_host', 'fleet_down'],
  },
] as const satisfies Route[];
