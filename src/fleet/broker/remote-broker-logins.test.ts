import { mkdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { RosterEntry } from '../../contract/fleet.ts';
import { writePrivate } from '../../files/private-file.ts';
import { aFleet } from '../../testing/fleet.ts';
import { tempHome } from '../../testing/home.ts';
import type { BrokerHost, Membership } from '../membership.ts';
import { brokerFiles } from './broker-config.ts';
import type { BrokerRequest } from './hosted-broker.ts';
import { RemoteBrokerLogins } from './remote-broker-logins.ts';
import { makeLogin } from './nkey.ts';

const on: BrokerHost = {
  destination: 'me@devbox',
  options: [],
  node: '/n',
  main: '/m',
  home: null,
  program: '/usr/sbin/nats-server',
  port: 4222,
};

const opened = async (isAtHome = true) => {
  const fleet = aFleet();
  const admin = fleet.stranger('laptop', 'admin');
  const { roster } = await fleet.open(admin.host, [{ ...admin.entry, login: makeLogin().public }]);
  const paths = tempHome();
  mkdirSync(paths.fleetBroker, { recursive: true });
  const files = brokerFiles(paths.fleetBroker);
  for (const file of [files.key, files.certificate]) writePrivate(file, 'pem');
  const invite = makeLogin();
  const membership = {
    fleet: fleet.fleet,
    host: { id: admin.host, name: 'laptop', key: admin.stored },
    broker: { listen: '127.0.0.1', port: 4222, on, inviteLogin: invite.public, inviteSeed: invite.seed },
  } as Membership;
  const sent: BrokerRequest[] = [];
  const changes: (string | null)[] = [];
  const broker: { isDown: boolean; onSent: () => void } = { isDown: false, onSent: () => {} };
  const supervisor = new RemoteBrokerLogins({
    paths,
    env: {},
    fleet: { roster },
    membership,
    on,
    isAtHome,
    onChange: () => changes.push(supervisor.problem),
    send: async (_, request) => {
      broker.onSent();
      if (broker.isDown) throw new Error('Connection refused');
      sent.push(request);
    },
  });
  onTestFinished(() => supervisor.close());
  const newHost = (name: string): RosterEntry => ({
    ...fleet.stranger(name).entry,
    login: makeLogin().public,
  });
  const take = async (entry: RosterEntry): Promise<boolean> => roster.take(fleet.sealed(entry));
  const logins = () => sent.at(-1)?.users.map(({ login }) => login) ?? [];
  const nextSend = () => new Promise<void>(resolve => (broker.onSent = resolve));
  return { supervisor, sent, changes, broker, newHost, take, logins, nextSend, invite };
};

test('a new member has its login at the broker before it is enrolled, and is sent once', async () => {
  const { supervisor, sent, newHost, take, logins, invite } = await opened();
  const entry = newHost('devbox');
  const enrolled = await supervisor.admit(entry, () => {
    expect(logins()).toContain(entry.login);
    return take(entry);
  });
  expect([enrolled, sent.length]).toEqual([true, 1]);
  expect(logins()).toHaveLength(3);
  expect(logins()).toContain(invite.public);
  expect(sent[0]).toMatchObject({ purpose: 'update', port: 4222, key: 'pem' });
});

test('nobody is enrolled while the broker cannot be reached', async () => {
  const { supervisor, broker, newHost, changes } = await opened();
  broker.isDown = true;
  let isEnrolled = false;
  const admitted = supervisor.admit(newHost('devbox'), () => Promise.resolve((isEnrolled = true)));
  await expect(admitted).rejects.toMatchObject({
    code: 'fleet_down',
    message: 'The logins of the broker on me@devbox could not be changed: Connection refused',
  });
  expect([isEnrolled, changes.at(-1)]).toEqual([false, expect.stringContaining('Connection refused')]);
});

test('the login of who could not be enrolled is taken back', async () => {
  const { supervisor, newHost, logins, nextSend } = await opened();
  const entry = newHost('devbox');
  const failing = supervisor.admit(entry, () => Promise.reject(new Error('no stream')));
  await expect(failing).rejects.toThrow('no stream');
  expect(logins()).toContain(entry.login);
  await nextSend();
  await expect.poll(logins).not.toContain(entry.login);
});

test('a revoked member is removed from the roster at once, and from the broker when that is reached', async () => {
  const { supervisor, broker, newHost, take, logins, nextSend } = await opened();
  const entry = newHost('devbox');
  await supervisor.admit(entry, () => take(entry));
  broker.isDown = true;
  const failed = nextSend();
  const removed = { ...entry, isRevoked: true, revision: 2 };
  expect(await supervisor.admit(removed, () => take(removed))).toBe(true);
  await failed;
  await expect.poll(() => supervisor.problem).toContain('Connection refused');
  expect(logins()).toContain(entry.login);
  broker.isDown = false;
  supervisor.onReachable();
  await expect.poll(logins).not.toContain(entry.login);
  await expect.poll(() => supervisor.problem).toBeNull();
});

test('a copy of the home sends nothing by itself', async () => {
  const copy = await opened(false);
  copy.supervisor.onReachable();
  const original = await opened();
  original.supervisor.onReachable();
  await expect.poll(() => original.sent.length).toBe(1);
  expect(copy.sent).toEqual([]);
  const entry = copy.newHost('devbox');
  await copy.supervisor.admit(entry, () => copy.take(entry));
  expect(copy.logins()).toContain(entry.login);
});
