/** Formats counters as Prometheus text. */
import type { Status } from '../contract/api.ts';

export const metricsText = (status: Status, streams: { opened: number; cut: number }): string => {
  const rows: [name: string, type: 'counter' | 'gauge', help: string, value: number][] = [
    [
      'drover_up_seconds',
      'gauge',
      'Seconds since the daemon started.',
      (Date.now() - status.startedAt) / 1000,
    ],
    [
      'drover_events_total',
      'counter',
      'Events taken into the log since the start.',
      status.events.sinceStart,
    ],
    [
      'drover_events_doubled_total',
      'counter',
      'Deliveries left out because they had been taken before.',
      status.events.doubled,
    ],
    ['drover_log_events', 'gauge', 'Events kept in the log.', status.events.kept],
    ['drover_log_bytes', 'gauge', 'Bytes of payload kept in the log.', status.events.bytes],
    ['drover_log_seq', 'counter', 'Highest sequence number given.', status.events.last],
    ['drover_sessions_known', 'gauge', 'Sessions known.', status.sessions.known],
    ['drover_sessions_live', 'gauge', 'Sessions that have not ended.', status.sessions.live],
    ['drover_sessions_waiting', 'gauge', 'Sessions that wait for a human.', status.sessions.waiting],
    ['drover_spool_files', 'gauge', 'Files in the spool at the last look.', status.spool.files],
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
    ['drover_streams_cut_total', 'counter', 'Readers cut off because they fell behind.', streams.cut],
    ['process_resident_memory_bytes', 'gauge', 'Resident memory.', process.memoryUsage.rss()],
  ];
  return rows
    .map(([name, type, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`)
    .join('');
};
