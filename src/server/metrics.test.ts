import { expect, test } from 'vitest';
import { aFleetStatus, aHost } from '../testing/fleet-status.ts';
import { openTestServer } from '../testing/server.ts';
import type { Status } from '../contract/api.ts';
import { metricsText } from './metrics.ts';

const status = {
  startedAt: 0,
  events: {},
  sessions: {},
  spool: {},
} as Status;

test('on a machine without a fleet there are no metrics of one', async () => {
  const { ask } = await openTestServer();
  const { text } = await ask('GET', '/metrics');
  expect(text).toContain('drover_sessions_known 0\n');
  expect(text).not.toContain('drover_fleet');
});

test('the fleet counts the hosts that are there, what waits on them, and the largest difference of clocks', () => {
  const hosts = [
    aHost({ name: 'laptop', state: 'here', waiting: 7 }),
    aHost({ waiting: 3, skew: -2_500 }),
    aHost({ name: 'nas', state: 'away', waiting: 9, skew: 90_000 }),
  ];
  const text = metricsText(status, { opened: 0, cut: 0 }, aFleetStatus({ hosts, rejected: 2 }), 5_000);
  for (const line of [
    'drover_up_seconds 5',
    'drover_fleet_connected 1',
    'drover_fleet_hosts_online 1',
    'drover_fleet_hosts_away 1',
    'drover_fleet_sessions_waiting 3',
    'drover_fleet_clock_skew_seconds 2.5',
    'drover_fleet_published_total 10',
    'drover_fleet_rejected_total 2',
  ])
    expect(text).toContain(`\n${line}\n`);
});
