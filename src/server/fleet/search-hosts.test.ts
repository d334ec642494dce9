import { expect, test } from 'vitest';
import { DroverError } from '../../contract/error.ts';
import type { RemoteCall } from '../../fleet/command/send-command.ts';
import type { Peer, Peers } from '../../fleet/peers.ts';
import { aSession } from '../../testing/session.ts';
import { searchHosts } from './search-hosts.ts';

const peer = (name: string, more: Partial<Peer> = {}): Peer => ({
  host: `id-${name}`,
  name,
  isHere: false,
  isAway: false,
  seenAt: 0,
  skew: 0,
  ...more,
});

const id = '6c57b6f4-0000-4000-8000-000000000001';

test('each host searches its own transcripts; those that do not are named', async () => {
  const asked: [string, RemoteCall][] = [];
  const peers: Pick<Peers, 'others' | 'send'> = {
    others: () => [peer('devbox', { skew: 1_000 }), peer('nas', { isAway: true }), peer('old'), peer('off')],
    send: (host, call) => {
      asked.push([host, call]);
      if (host === 'id-old') return Promise.resolve({ status: 200, json: { sessions: 'x' } });
      if (host === 'id-off') return Promise.reject(new DroverError('refused', 'The search index is off.'));
      const session = aSession({ id, touched: 5_000, transcript: '/there', cwd: '/work' });
      return Promise.resolve({ status: 200, json: { sessions: [session], found: { [id]: 'the words' } } });
    },
  };
  const query = new URLSearchParams({ q: 'the words' });
  const caller = { kind: 'cli', name: null, session: null, rights: [] } as const;
  const answer = await searchHosts(peers as Peers, { query, caller });
  expect(asked.map(([host]) => host)).toEqual(['id-devbox', 'id-old', 'id-off']);
  expect(asked[0]?.[1]).toMatchObject({ route: 'listSessions', query: { q: 'the words' }, caller });
  expect(answer.sessions).toMatchObject([
    { id: `${id}@devbox`, host: 'devbox', transcript: null, touched: 4_000 },
  ]);
  expect(answer.found).toEqual({ [`${id}@devbox`]: 'the words' });
  expect(answer.missing).toMatchObject([
    { host: 'nas', problem: 'away' },
    { host: 'old' },
    { host: 'off', problem: 'The search index is off.' },
  ]);
});
