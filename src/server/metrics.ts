/** Formats counters as Prometheus text. */
import type { FleetHost, FleetStatus } from '../contract/fleet.ts';
import type { Status } from '../contract/api.ts';

type Metric = [name: string, type: 'counter' | 'gauge', help: string, value: number];

export const metricsText = (
  status: Status,
  streams: { opened: number; cut: number },
  fleet: FleetStatus,
  now: number,
): string => {
  const rows: Metric[] = [
    ['drover_up_seconds', 'gauge', 'Seconds since the daemon started.', (now - status.startedAt) / 1000],
    ['drover_events_total', 'counter', 'Events added to the log since the start.', status.events.sinceStart],
    [
      'drover_events_doubled_total',
      'counter',
      'Repeated deliveries that were ignored.',
      status.events.doubled,
    ],
    ['drover_log_events', 'gauge', 'Events kept in the log.', status.events.kept],
    ['drover_log_bytes', 'gauge', 'Bytes of payload kept in the log.', status.events.bytes],
    ['drover_log_seq', 'counter', 'Highest sequence number.', status.events.last],
    ['drover_sessions_known', 'gauge', 'Sessions known.', status.sessions.known],
    ['drover_sessions_live', 'gauge', 'Sessions that have not ended.', status.sessions.live],
    ['drover_sessions_waiting', 'gauge', 'Sessions that wait for a person.', status.sessions.waiting],
    ['drover_spool_files', 'gauge', 'Files in the spool at the last scan.', status.spool.files],
    [
      'drover_spool_dropped_total',
      'counter',
      'Events dropped because the spool or the disk was full.',
      status.spool.dropped,
    ],
    [
      'drover_aside_total',
      'counter',
      'Inputs moved aside because they could not become events.',
      status.spool.aside,
    ],
    ['drover_streams_open', 'gauge', 'Streams open now.', status.readers],
    ['drover_streams_opened_total', 'counter', 'Streams opened since the start.', streams.opened],
    ['drover_streams_cut_total', 'counter', 'Readers disconnected because they fell behind.', streams.cut],
    ['process_resident_memory_bytes', 'gauge', 'Resident memory.', process.memoryUsage.rss()],
    ...(fleet.isJoined ? fleetRows(fleet) : []),
  ];
  return rows
    .map(([name, type, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`)
    .join('');
};

/** Metrics of the fleet, on a machine that has joined one. */
const fleetRows = ({ connection, hosts, published, received, rejected }: FleetStatus): Metric[] => {
  const count = (state: FleetHost['state']) => hosts.filter(host => host.state === state).length;
  const online = hosts.filter(({ state }) => state === 'online');
  const sum = (field: 'waiting' | 'sessions') => online.reduce((all, host) => all + (host[field] ?? 0), 0);
  const skews = online.map(({ skew }) => Math.abs(skew ?? 0) / 1000);
  return [
    [
      'drover_fleet_connected',
      'gauge',
      '1 while the broker of the fleet is connected.',
      connection === 'connected' ? 1 : 0,
    ],
    ['drover_fleet_hosts_online', 'gauge', 'Other hosts that are online.', online.length],
    ['drover_fleet_hosts_away', 'gauge', 'Other hosts without a heartbeat for 30 s.', count('away')],
    ['drover_fleet_sessions_live', 'gauge', 'Sessions of other hosts that have not ended.', sum('sessions')],
    [
      'drover_fleet_sessions_waiting',
      'gauge',
      'Sessions of other hosts that wait for a person.',
      sum('waiting'),
    ],
    [
      'drover_fleet_clock_skew_seconds',
      'gauge',
      'Largest difference between the clock of another host and this one.',
      Math.max(0, ...skews),
    ],
    ['drover_fleet_published_total', 'counter', 'Rows of sessions published since the start.', published],
    ['drover_fleet_received_total', 'counter', 'Rows of other hosts received since the start.', received],
    [
      'drover_fleet_rejected_total',
      'counter',
      'Messages that were rejected: without a valid signature, not from a member, too large, expired or repeated.',
      rejected,
    ],
  ];
};
