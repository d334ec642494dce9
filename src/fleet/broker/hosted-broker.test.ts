import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tempHome } from '../../testing/home.ts';
import { brokerFiles } from './broker-config.ts';
import { hostBroker, BrokerRequest, readHosted, removeHosted } from './hosted-broker.ts';
import { makeLogin } from './nkey.ts';

const request = (more: Partial<BrokerRequest> = {}): BrokerRequest => ({
  version: 1,
  purpose: 'update',
  fleet: 'a'.repeat(16),
  admin: { id: 'b'.repeat(16), name: 'laptop' },
  port: 4222,
  program: '/nowhere/nats-server',
  key: '-----BEGIN PRIVATE KEY-----',
  certificate: '-----BEGIN CERTIFICATE-----',
  users: [{ login: makeLogin().public, permissions: { publish: ['a'], subscribe: ['b'], mayAnswer: false } }],
  ...more,
});

/** A home with a broker of this fleet that somebody has stopped, so that no program is started. */
const hosting = (isConfirmed: boolean) => {
  const paths = tempHome();
  mkdirSync(paths.hostedBroker, { recursive: true });
  const { fleet, admin, port, program } = request();
  writeFileSync(
    paths.hostedBrokerFile,
    JSON.stringify({ version: 1, fleet, admin, port, program, isConfirmed }),
  );
  writeFileSync(brokerFiles(paths.hostedBroker).stopped, '');
  return paths;
};

test('an update changes the logins of a broker that is here, and confirms it', async () => {
  const paths = hosting(false);
  const wanted = request();
  await hostBroker(paths, wanted, {});
  const { config } = brokerFiles(paths.hostedBroker);
  expect(readFileSync(config, 'utf8')).toContain(wanted.users[0]?.login);
  expect(readFileSync(config, 'utf8')).toContain('listen: "127.0.0.1:4222"');
  expect(readHosted(paths)?.isConfirmed).toBe(true);
});

test('an update makes no broker: somebody has removed it', async () => {
  const paths = tempHome();
  await expect(hostBroker(paths, request(), {})).rejects.toThrow('is no longer on this machine');
  expect(existsSync(paths.hostedBroker)).toBe(false);
  await expect(hostBroker(hosting(true), request({ fleet: 'c'.repeat(16) }), {})).rejects.toThrow(
    'is no longer on this machine',
  );
});

test('a broker in use keeps its place; one that an interrupted init left behind does not', async () => {
  const other = request({ purpose: 'new', fleet: 'c'.repeat(16) });
  await expect(hostBroker(hosting(true), other, { PATH: '' })).rejects.toThrow(
    'another fleet, that of laptop',
  );
  const paths = hosting(false);
  // There is no such nats-server, so it is written and does not start.
  await hostBroker(paths, other, { PATH: '' }).catch(() => {});
  expect(readHosted(paths)).toMatchObject({ fleet: other.fleet, isConfirmed: false });
  expect(await removeHosted(paths)).toBe(true);
  expect(existsSync(paths.hostedBroker)).toBe(false);
  expect(await removeHosted(paths)).toBe(false);
});

test.each([
  ['a login that is none', { users: [{ ...request().users[0], login: 'U" }' }] }],
  ['a port that is none', { port: 70_000 }],
  ['a program that is no path', { program: 'sh -c' }],
])('%s is refused', (_, more) => {
  expect(BrokerRequest.safeParse(request()).success).toBe(true);
  expect(BrokerRequest.safeParse({ ...request(), ...more }).success).toBe(false);
});
