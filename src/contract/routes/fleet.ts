/** The machines of the fleet, and the queue over all of them. */
import { Ack } from '../api.ts';
import { FleetStatus } from '../fleet.ts';
import { accessErrors, type Route } from './route.ts';

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
      'Stream the outlines of the events of all hosts, each once: time, source, name and session. No texts. Goes on behind a Last-Event-ID.',
    query: { after: 'the last `id:` that was received' },
    answer: 'stream',
    errors: [...accessErrors, 'bad_cursor', 'not_joined'],
  },
  {
    id: 'reloadFleet',
    method: 'POST',
    path: '/fleet/reload',
    level: 'local',
    audit: 'fleet-reload',
    group: 'fleet',
    summary:
      'Read the membership anew: connect to the fleet that was joined, or leave the one that was left.',
    answer: Ack,
    errors: [...accessErrors, 'bad_fleet'],
  },
] as const satisfies Route[];
