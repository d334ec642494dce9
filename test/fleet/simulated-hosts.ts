/**
 * Many hosts or seats in one process, each with an identity of its own, the real modules of the fleet and sessions that exist
 * nowhere: for the bench. Controlled by lines on stdin, answers by lines on stdout.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { idFrom } from '../../src/contract/origin.ts';
import type { Session } from '../../src/contract/session.ts';
import { idOfKey, makeKey } from '../../src/fleet/keys.ts';
import { machineOf } from '../../src/fleet/machine.ts';
import type { Membership } from '../../src/fleet/membership.ts';
import { type Fleet, openFleet } from '../../src/fleet/open-fleet.ts';
import { peersOf } from '../../src/fleet/peers.ts';
import type { Commit } from '../../src/live/loop.ts';
import { type Refusal, RemoteClaims } from '../../src/server/fleet/remote-claims.ts';
import { aSession } from '../../src/testing/session.ts';

export interface Order {
  /** `open`: connect these hosts. `change`: change sessions at a rate. `claim`: each seat claims each of these sessions. */
  kind: 'open' | 'change' | 'claim' | 'close';
  fleet?: Pick<Membership, 'fleet' | 'fleetKey' | 'fleetSecret' | 'servers'>;
  role?: 'worker' | 'seat';
  hosts?: number;
  sessions?: number;
  perSecond?: number;
  seconds?: number;
  /** The host of the sessions that are claimed. */
  owner?: string;
  ids?: string[];
}

export interface Done {
  made: number;
  published: number;
  claims?: Claim[];
}

interface Claim {
  id: string;
  seat: string;
  got: 'granted' | Refusal;
  /** Time until the answer, ms. */
  took: number;
}

interface Host {
  name: string;
  fleet: Fleet;
  sessions: Session[];
  seq: number;
}

const home = mkdtempSync(join(tmpdir(), 'sim-'));
const hosts: Host[] = [];

const open = async ({
  fleet,
  role = 'worker',
  hosts: count = 1,
  sessions: each = 1,
}: Order): Promise<void> => {
  if (!fleet) throw new Error('No fleet.');
  for (let n = 0; n < count; n++) {
    const key = makeKey();
    const id = idOfKey(key.public);
    const name = `sim${n}`;
    const byId = new Map<string, Session>();
    const host: Host = { name, fleet: null as unknown as Fleet, sessions: [], seq: 0 };
    for (let one = 0; one < each; one++) {
      const session = aSession({
        id: randomUUID(),
        title: `Work ${one}`,
        project: 'shop',
        state: 'working',
        seq: ++host.seq,
      });
      host.sessions.push(session);
      byId.set(session.id, session);
    }
    const entry = {
      host: id,
      name,
      key: key.public,
      login: null,
      role,
      isRevoked: false,
      revision: 1,
      at: Date.now(),
    } as const;
    host.fleet = await openFleet({
      membership: {
        ...fleet,
        version: 1,
        fleetSecret: n === 0 ? fleet.fleetSecret : null,
        host: { id, name, key },
        role,
        certificate: null,
        authorities: null,
        login: { kind: 'none' },
        replicas: 1,
        share: 'all',
        accept: {},
        ssh: {},
        broker: null,
        machine: machineOf(home),
      },
      rosterFile: join(home, `roster-${n}.json`),
      home,
      epoch: name,
      startedAt: Date.now(),
      sessions: () => host.sessions,
      session: wanted => byId.get(wanted),
      waiting: () => 0,
      lastSeq: () => host.seq,
      events: () => [],
      keys: { take: () => null, answered: () => {} },
      dispatch: () => Promise.resolve({ status: 200, json: { sessions: [] } }),
      onSessions: () => {},
      onChange: () => {},
      now: Date.now,
      onError: (message, error) => console.error(name, message, String(error)),
    });
    hosts.push(host);
    await connected(host.fleet);
    await (hosts[0] as Host).fleet.enrol(entry);
  }
  await Promise.all(hosts.map(host => published(host, each)));
};

const connected = async (fleet: Fleet): Promise<void> => {
  while (fleet.bus.state.connection !== 'connected') await pause(20);
};

const published = async ({ fleet }: Host, count: number): Promise<void> => {
  while (fleet.published < count) await pause(50);
};

/** Changes sessions at an even rate; the last change of each is `ready`, so that a reader can tell when it has all. */
const change = async ({ perSecond = 1, seconds = 1 }: Order): Promise<number> => {
  const began = performance.now();
  const all = hosts.flatMap(host => host.sessions.map((_, n) => ({ host, n })));
  let made = 0;
  for (let at = 0; at < seconds * 1_000; at = performance.now() - began) {
    const due = Math.min((at * perSecond) / 1_000, perSecond * seconds);
    for (; made < due; made++) apply(all[made % all.length] as (typeof all)[number], made);
    await pause(5);
  }
  // The rest of the last pause.
  for (; made < perSecond * seconds; made++) apply(all[made % all.length] as (typeof all)[number], made);
  return made;
};

const apply = ({ host, n }: { host: Host; n: number }, made: number): void => {
  const session = host.sessions[n] as Session;
  const before = { ...session };
  Object.assign(session, {
    state: made % 2 === 0 ? 'waiting' : 'working',
    reason: made % 2 === 0 ? 'stopped' : null,
    since: Date.now(),
    seq: ++host.seq,
  });
  const changed = [{ before, after: session }] as unknown as Commit['changed'];
  host.fleet.onCommit({ event: {} as never, payload: null, changed });
};

/** Each seat claims each session: all seats the same one at the same time, then the next. */
const claim = async ({ owner = '', ids = [] }: Order): Promise<Claim[]> => {
  const seats = hosts.map(({ name, fleet }) => ({
    name,
    fleet,
    peers: peersOf(fleet),
    claims: new RemoteClaims(() => peersOf(fleet), { now: Date.now }),
  }));
  for (const { peers } of seats) while (peers.host(owner)?.isAway !== false) await pause(50);
  const made: Claim[] = [];
  for (const [n, id] of ids.entries())
    await Promise.all(
      // Each time another one begins.
      [...seats.slice(n % seats.length), ...seats.slice(0, n % seats.length)].map(
        async ({ name, peers, claims }) => {
          const peer = peers.host(owner);
          if (!peer) throw new Error('The owner is not in the fleet.');
          const session = aSession({ id: idFrom(id, peer.name), fleet: peer });
          const began = performance.now();
          const got = await claims.claim(session, 'shell', { kind: 'cli', name: null, session: null });
          const took = performance.now() - began;
          made.push({ id, seat: name, got: typeof got === 'string' ? got : 'granted', took });
        },
      ),
    );
  return made;
};

const pause = (time: number): Promise<void> => new Promise(resolve => setTimeout(resolve, time));

const totals = () => ({ published: hosts.reduce((sum, { fleet }) => sum + fleet.published, 0) });

const obey = async (order: Order): Promise<void> => {
  if (order.kind === 'close') {
    await Promise.all(hosts.map(host => host.fleet.close()));
    rmSync(home, { recursive: true, force: true });
    process.exit(0);
  }
  let made = 0;
  let claims: Claim[] | undefined;
  if (order.kind === 'open') await open(order);
  else if (order.kind === 'claim') claims = await claim(order);
  else made = await change(order);
  console.log(JSON.stringify({ made, ...totals(), ...(claims && { claims }) } satisfies Done));
};

createInterface({ input: process.stdin }).on('line', line => {
  obey(JSON.parse(line) as Order).catch((error: unknown) => {
    console.error(String(error));
    process.exit(1);
  });
});
