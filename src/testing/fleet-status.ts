/** Builds the state of a fleet as a seat reads it. */
import type { FleetHost, FleetStatus } from '../contract/fleet.ts';

export const aHost = (more: Partial<FleetHost> = {}): FleetHost => ({
  id: 'abcdefgh234567ab',
  name: 'devbox',
  role: 'worker',
  state: 'online',
  seenAt: 0,
  version: null,
  skew: 0,
  sessions: 4,
  waiting: 1,
  working: 2,
  accepts: [],
  ssh: null,
  tunnel: 'none',
  problem: null,
  ...more,
});

export const aFleetStatus = (more: Partial<FleetStatus> = {}): FleetStatus => ({
  isJoined: true,
  fleet: 'home',
  host: { id: 'bbbbbbbb234567ab', name: 'laptop', role: 'admin' },
  connection: 'connected',
  since: 0,
  servers: ['nats://127.0.0.1:4222'],
  brokerVersion: '2.14.0',
  brokerHost: null,
  problem: null,
  hosts: [aHost({ id: 'bbbbbbbb234567ab', name: 'laptop', state: 'here' }), aHost()],
  rejected: 0,
  published: 10,
  received: 20,
  ...more,
});
