/** Other hosts of the fleet without a broker: test servers that are called as the fleet would, through JSON. */
import { randomUUID } from 'node:crypto';
import { DroverError, type ErrorCode } from '../contract/error.ts';
import type { Right } from '../contract/rights.ts';
import type { Session } from '../contract/session.ts';
import type { RemoteCall } from '../fleet/command/send-command.ts';
import type { Peer, Peers } from '../fleet/peers.ts';
import { rowOf, sessionOfRow } from '../fleet/row.ts';
import { startsWithId } from '../contract/short-id.ts';
import { idParts } from '../contract/origin.ts';
import { shown } from '../session/memory.ts';
import type { TestServer } from './server.ts';

export interface TestHost {
  server: Pick<TestServer, 'loop' | 'ofHosts'>;
  /** What it accepts from this machine. */
  rights?: Right[];
  isAway?: boolean;
  skew?: number;
}

export interface TestPeers extends Peers {
  hosts: Record<string, TestHost>;
  /** What was sent, in order. */
  sent: { to: string; call: RemoteCall }[];
}

/** This machine is `laptop`; the others are called by the names of their entries. */
export const testPeers = (hosts: Record<string, TestHost> = {}): TestPeers => {
  const sent: TestPeers['sent'] = [];
  const hostOf = (name: string): Peer | null => {
    if (name === 'laptop')
      return { host: 'id-laptop', name, isHere: true, isAway: false, seenAt: 0, skew: 0 };
    const own = name.replace(/^id-/, '');
    const found = hosts[own];
    if (!found) return null;
    const { isAway = false, skew = 0 } = found;
    return { host: `id-${own}`, name: own, isHere: false, isAway, seenAt: 0, skew };
  };
  const sessions = (): Session[] =>
    Object.entries(hosts).flatMap(([name, { server, skew = 0 }]) => {
      const { isHere: _, skew: __, ...place } = hostOf(name) as Peer;
      return server.loop.sessionIndex
        .current()
        .map(session => sessionOfRow(rowOf(shown(session), 'epoch', 'all'), place, skew));
    });
  return {
    hosts,
    sent,
    host: hostOf,
    others: () => Object.keys(hosts).map(name => hostOf(name) as Peer),
    sessions: () => Promise.resolve(sessions()),
    named: (own, host) =>
      Promise.resolve(
        sessions().filter(
          ({ id, fleet }) => (host === null || fleet?.host === host) && startsWithId(idParts(id).own, own),
        ),
      ),
    send: async (to, call) => {
      sent.push({ to, call });
      const peer = hostOf(to) as Peer;
      const { server, rights = ['read', 'queue'] } = hosts[peer.name] as TestHost;
      if (peer.isAway) throw new DroverError('host_away', `${peer.name} is away.`);
      const { route, params, query = {}, headers = {}, body = null, key = randomUUID(), caller } = call;
      const { kind, name, session } = caller;
      const command = { to, route, params, query, headers, body, key, at: 0, expires: 0 };
      const given = structured({ ...command, caller: { kind, name, session } });
      const answer = structured(
        await server.ofHosts(given, { kind: 'host', name: `laptop (${kind})`, session: null, rights }),
      );
      if (answer.status < 400) return answer;
      const { error } = answer.json as { error: { code: ErrorCode; message: string; hint: string } };
      throw new DroverError(error.code, error.message, error.hint);
    },
  };
};

const structured = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
