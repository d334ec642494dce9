/** What a stolen login can do at our own broker: the real nats-server, asked without Drover's client. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FleetRole } from '../../src/contract/fleet.ts';
import { brokerFiles, brokerConfig } from '../../src/fleet/broker/broker-config.ts';
import { freePort, startBroker, stopBroker } from '../../src/fleet/broker/broker-process.ts';
import { selfSigned } from '../../src/fleet/broker/certificate.ts';
import { type BrokerLogin, makeLogin } from '../../src/fleet/broker/nkey.ts';
import { inviteInbox, permissionsOf } from '../../src/fleet/broker/permissions.ts';
import { pinnedTo } from '../../src/fleet/pinned-certificate.ts';
import { subjectsOf } from '../../src/fleet/subjects.ts';
import { writePrivate } from '../../src/files/private-file.ts';
import { tempHome } from '../../src/testing/home.ts';
import { noFleet } from '../rig/fleet.ts';

const fleet = 'a'.repeat(16);
const hosts = { admin: 'b'.repeat(16), seat: 'c'.repeat(16), worker: 'd'.repeat(16), other: 'e'.repeat(16) };
const subjects = subjectsOf(fleet);

const opened = async () => {
  const folder = join(tempHome().home, 'broker');
  await mkdir(folder, { recursive: true });
  const files = brokerFiles(folder);
  const { key, cert } = selfSigned(['drover'], 1);
  writePrivate(files.key, key);
  writePrivate(files.certificate, cert);
  const port = await freePort('127.0.0.1');
  const logins = Object.fromEntries(
    ['admin', 'seat', 'worker', 'other', 'invited'].map(name => [name, makeLogin()]),
  ) as Record<keyof typeof hosts | 'invited', BrokerLogin>;
  const user = (name: keyof typeof logins, role: FleetRole | 'invited') => ({
    login: logins[name].public,
    permissions: permissionsOf(subjects, name === 'invited' ? '' : hosts[name], role),
  });
  const users = [
    user('admin', 'admin'),
    user('seat', 'seat'),
    user('worker', 'worker'),
    user('other', 'worker'),
    user('invited', 'invited'),
  ];
  const place = { folder, listen: '127.0.0.1', port };
  writePrivate(files.config, brokerConfig(folder, { name: 'test', ...place, users }));
  await startBroker(place, process.env);
  onTestFinished(async () => void (await stopBroker(folder, false)));
  /** Connects, and records what the broker rejects. */
  const as = async (name: keyof typeof logins) => {
    const connection = await connect({
      servers: `tls://127.0.0.1:${port}`,
      tls: pinnedTo(cert),
      authenticator: nkeyAuthenticator(new TextEncoder().encode(logins[name].seed)),
      inboxPrefix: name === 'invited' ? inviteInbox : subjects.inbox(hosts[name]),
      noAsyncTraces: true,
    });
    onTestFinished(() => connection.close());
    const refused: string[] = [];
    void (async () => {
      for await (const status of connection.status())
        if (status.type === 'error') refused.push(status.error.message);
    })();
    return { connection, refused };
  };
  const admin = await as('admin');
  const manager = await jetstreamManager(admin.connection);
  const stream = (name: string, ...of: string[]) =>
    manager.streams.add({ name, subjects: of, allow_direct: true, max_msgs_per_subject: 1 });
  await stream(subjects.rowStream, subjects.allRows, subjects.allHosts);
  await stream(subjects.rosterStream, subjects.allRoster);
  await stream(subjects.logStream, subjects.allLogs);
  for (const host of [hosts.worker, hosts.other]) {
    await jetstream(admin.connection).publish(subjects.row(host, 'session'), `row of ${host}`);
    await jetstream(admin.connection).publish(subjects.host(host), `card of ${host}`);
  }
  await jetstream(admin.connection).publish(subjects.roster(hosts.worker), 'entry');
  return { as, admin };
};

/** Reads what a filter delivers, with the requests that Drover's own client makes. */
const readWith = async (connection: NatsConnection, stream: string, filter: string): Promise<string[]> => {
  const client = jetstream(connection, { timeout: 1_000 });
  const consumer = await client.consumers.get(stream, { filter_subjects: filter });
  const { num_pending: waiting } = await consumer.info(true);
  if (waiting === 0) return [];
  const found: string[] = [];
  for await (const message of await consumer.fetch({ max_messages: waiting, expires: 2_000 }))
    found.push(message.string());
  return found;
};

/** Everything sent before has been answered, and the rejections are recorded. */
const settled = async (connection: NatsConnection): Promise<void> => {
  await connection.flush();
  await new Promise(resolve => setImmediate(resolve));
};

/** The answer to a raw request; the broker's refusal shows as no answer. */
const asked = async (connection: NatsConnection, subject: string, body: object | string): Promise<string> => {
  try {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return (await connection.request(subject, text, { timeout: 1_000 })).string();
  } catch (error) {
    return (error as Error).message;
  }
};

describe.skipIf(noFleet !== undefined)('logins at the broker', () => {
  test('a worker can read its own rows and the roster, and nothing of others', async () => {
    const { as, admin } = await opened();
    const { connection } = await as('worker');
    expect(await readWith(connection, subjects.rowStream, subjects.rowsOf(hosts.worker))).toEqual([
      `row of ${hosts.worker}`,
    ]);
    expect(await readWith(connection, subjects.rosterStream, subjects.allRoster)).toEqual(['entry']);
    for (const filter of [subjects.allRows, subjects.rowsOf(hosts.other), subjects.allHosts])
      await expect(readWith(connection, subjects.rowStream, filter)).rejects.toThrow(/ermission/);

    const { rowStream } = subjects;
    const api = '$JS.API';
    const consumer = (config: object) => ({
      stream_name: rowStream,
      config: { ack_policy: 'none', ...config },
    });
    const own = subjects.rowsOf(hosts.worker);
    const ways: [string, object | string][] = [
      // Another filter in the body than in the subject, none, or several.
      [
        `${api}.CONSUMER.CREATE.${rowStream}.x.${own}`,
        consumer({ name: 'x', filter_subject: subjects.allRows }),
      ],
      [`${api}.CONSUMER.CREATE.${rowStream}.y.${own}`, consumer({ name: 'y' })],
      [
        `${api}.CONSUMER.CREATE.${rowStream}.z.${own}`,
        consumer({ name: 'z', filter_subjects: [own, subjects.allRows] }),
      ],
      [`${api}.CONSUMER.CREATE.${rowStream}`, consumer({})],
      [`${api}.CONSUMER.DURABLE.CREATE.${rowStream}.w`, consumer({ durable_name: 'w' })],
      [`${api}.STREAM.MSG.GET.${rowStream}`, { last_by_subj: subjects.row(hosts.other, 'session') }],
      [`${api}.DIRECT.GET.${rowStream}`, { last_by_subj: subjects.row(hosts.other, 'session') }],
      [`${api}.DIRECT.GET.${rowStream}.${subjects.row(hosts.other, 'session')}`, ''],
      [
        `${api}.DIRECT.GET.${rowStream}.${subjects.row(hosts.worker, 'session')}`,
        { last_by_subj: subjects.row(hosts.other, 'session') },
      ],
      [
        `${api}.STREAM.CREATE.COPY`,
        { name: 'COPY', sources: [{ name: rowStream }], subjects: [`${subjects.root}.copy`] },
      ],
      [`${api}.STREAM.UPDATE.${rowStream}`, { name: rowStream, republish: { src: '>', dest: 'x.>' } }],
      [
        `${api}.STREAM.SNAPSHOT.${rowStream}`,
        { deliver_subject: `${subjects.inbox(hosts.worker)}.snapshot` },
      ],
      [`${api}.STREAM.DELETE.${rowStream}`, ''],
      [`${api}.STREAM.PURGE.${rowStream}`, ''],
      [`${api}.CONSUMER.NAMES.${rowStream}`, ''],
    ];
    for (const [subject, body] of ways) {
      const answer = await asked(connection, subject, body);
      expect([subject, answer]).toEqual([subject, expect.not.stringContaining(`row of ${hosts.other}`)]);
      expect([subject, answer]).toEqual([
        subject,
        expect.stringMatching(/ermission|"error"|timeout|no responders|row of d{16}|^$/),
      ]);
    }
    // The stream still has everything, and no other reader was made than those that were allowed.
    const manager = await jetstreamManager(admin.connection);
    expect((await manager.streams.info(rowStream)).state.messages).toBe(4);
    const filters: (string | undefined)[] = [];
    for await (const { config } of manager.consumers.list(rowStream)) filters.push(config.filter_subject);
    expect(filters.filter(filter => filter !== own)).toEqual([]);
    // The subjects of the stream, which a worker may ask for, name no session.
    const info = await asked(connection, `${api}.STREAM.INFO.${rowStream}`, { subjects_filter: '>' });
    expect(info).toContain(subjects.row(hosts.other, 'session'));
    expect(info).not.toContain('session"');
  });

  test('no host can publish or listen in the name of another', async () => {
    const { as } = await opened();
    const worker = await as('worker');
    const seat = await as('seat');
    const heard: string[] = [];
    (await as('admin')).connection.subscribe(`${subjects.root}.>`, {
      callback: (_, message) => void heard.push(message.subject),
    });
    const publish = async ({ connection, refused }: typeof worker, subject: string): Promise<boolean> => {
      const before = refused.length;
      connection.publish(subject, 'x');
      await settled(connection);
      return refused.length === before;
    };
    const { worker: me, other, seat: sitting } = hosts;
    const mayWorker = (subject: string) => publish(worker, subject);
    expect(await mayWorker(subjects.row(me, 'x'))).toBe(true);
    expect(await mayWorker(subjects.host(me))).toBe(true);
    for (const subject of [
      subjects.row(other, 'x'),
      subjects.host(other),
      subjects.log(other),
      subjects.roster(me),
      subjects.command(other, me),
      subjects.command(other, sitting),
      `${subjects.inbox(other)}.x`,
    ])
      expect([subject, await mayWorker(subject)]).toEqual([subject, false]);
    const maySeat = (subject: string) => publish(seat, subject);
    expect(await maySeat(subjects.command(other, sitting))).toBe(true);
    expect(await maySeat(subjects.command(other, hosts.admin))).toBe(false);
    expect(await maySeat(subjects.row(other, 'x'))).toBe(false);
    expect(await readWith(seat.connection, subjects.rowStream, subjects.allHosts)).toHaveLength(2);

    for (const subject of [
      subjects.commandsTo(other),
      `${subjects.inbox(other)}.>`,
      `${subjects.root}.>`,
      '>',
    ]) {
      const before = worker.refused.length;
      worker.connection.subscribe(subject, { callback: () => {} });
      await settled(worker.connection);
      expect([subject, worker.refused.length]).toEqual([subject, before + 1]);
    }
    expect(heard.some(subject => subject.includes(`row.${other}`))).toBe(false);
  });

  test('the login of an invitation can ask to join, and nothing else', async () => {
    const { as, admin } = await opened();
    const { connection, refused } = await as('invited');
    admin.connection.subscribe(subjects.join, { callback: (_, message) => void message.respond('heard') });
    await admin.connection.flush();
    expect(await asked(connection, subjects.join, 'x')).toBe('heard');
    for (const subject of [subjects.host(hosts.worker), `$JS.API.STREAM.INFO.${subjects.rosterStream}`])
      expect(await asked(connection, subject, '')).toMatch(/ermission/);
    await settled(connection);
    const before = refused.length;
    connection.subscribe(subjects.join, { callback: () => {} });
    await settled(connection);
    expect(refused.length).toBe(before + 1);
  });

  test('an answer goes to whoever asked, in parts', async () => {
    const { as } = await opened();
    const worker = await as('worker');
    const seat = await as('seat');
    worker.connection.subscribe(subjects.commandsTo(hosts.worker), {
      callback: (_, message) => {
        for (let part = 0; part < 50; part++) message.respond(String(part));
      },
    });
    await worker.connection.flush();
    const inbox = `${subjects.inbox(hosts.seat)}.1`;
    const parts = seat.connection.subscribe(inbox, { max: 50 });
    seat.connection.publish(subjects.command(hosts.worker, hosts.seat), 'x', { reply: inbox });
    let count = 0;
    for await (const { data } of parts) count += data.length > 0 ? 1 : 0;
    expect(count).toBe(50);
    expect(worker.refused).toEqual([]);
  });
});
