import { expect, test } from 'vitest';
import type { Session } from '../../contract/session.ts';
import type { Queued } from '../../session/queue/queue.ts';
import { changedOptions, queueOptions } from './queue-options.ts';
import { keyRequestsIn } from '../keys/key-requests.ts';

const queued = (
  position: number,
  pane: string | null,
  deferred: Queued['deferred'] = null,
  socket = '/s',
): Queued => ({
  position,
  deferred,
  until: null,
  session: {
    id: `id-${position}`,
    since: 1,
    project: `p${position}`,
    pane: pane && { socket, serverPid: 7, id: pane, pid: 1, session: 'm', window: 'w' },
    deferral: deferred && {
      since: 1,
      skipped: null,
      snoozed: null,
      dismissed: null,
      claim: { by: '/dev/pts/1', until: 9 },
    },
  } as Session,
});

test('lists the panes of this server in order, without deferred ones', () => {
  const queue = [
    queued(1, '%1', 'claimed'),
    queued(2, '%2', 'skipped'),
    queued(3, '%3'),
    queued(4, '%4', 'snoozed'),
    queued(5, '%5', null, '/other'),
    queued(6, null),
  ];
  const options = queueOptions(queue, '/s', 7);
  expect(options).toMatchObject({
    '@drover_count': '5',
    '@drover_elsewhere': '2',
    '@drover_head': 'p1',
    '@drover_1': '%1',
    '@drover_1_by': '/dev/pts/1',
    '@drover_2': '%3',
    '@drover_2_by': null,
    '@drover_3': null,
    '@drover_9': null,
  });
  expect(queueOptions(queue, '/s', 8)['@drover_1']).toBeNull();
  expect(changedOptions(options, { ...options, '@drover_1': '%3' })).toEqual({ '@drover_1': '%3' });
});

test('what waits on other hosts is an option of its own, and none where nothing does', () => {
  expect(queueOptions([queued(1, '%1')], '/s', 7, 3)).toMatchObject({
    '@drover_count': '1',
    '@drover_fleet': '3',
  });
  expect(queueOptions([], '/s', 7)['@drover_fleet']).toBeNull();
});

test('parses key requests one by one and ignores invalid ones', () => {
  expect(keyRequestsIn('claim %1 /dev/pts/4;skip %22 /dev/pts/4;\n')).toEqual([
    { verb: 'claim', pane: '%1', client: '/dev/pts/4' },
    { verb: 'skip', pane: '%22', client: '/dev/pts/4' },
  ]);
  expect(keyRequestsIn('skip;;rm -rf %x;')).toEqual([]);
});
