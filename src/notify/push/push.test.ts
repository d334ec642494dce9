import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Notice } from '../../contract/notice.ts';
import { tempHome } from '../../testing/home.ts';
import { openPushReceiver } from '../../testing/push-receiver.ts';
import { ActionKeys } from './action-keys.ts';
import { Push, type PushDeps } from './push.ts';

const notice = (...ids: string[]): Notice => ({
  at: 1,
  title: 'waiting',
  text: '',
  sessions: ids.map(id => ({
    id,
    title: null,
    project: 'shop',
    branch: null,
    reason: 'stopped',
    outcome: 'done' as const,
    says: 'done',
    since: 0,
    request: null,
    requestId: null,
    pane: null,
  })),
});

const opened = async (more: Partial<PushDeps> = {}) => {
  const service = await openPushReceiver();
  const keyFile = join(tempHome().home, 'push-keys.json');
  const device = { id: 'aa', name: 'A phone', subscription: service.subscription };
  const unsubscribed: string[] = [];
  const push = new Push(
    () => ({ subject: 'mailto:me@example.org', services: ['127.0.0.1'], details: true }),
    {
      keyFile,
      actionKeys: new ActionKeys({ now: () => 0 }),
      devices: () => [device],
      unsubscribe: ({ id }) => void unsubscribed.push(id),
      requestsOf: () => [],
      readRequest: () => Promise.reject(new Error('there is none')),
      mask: text => text,
      isTest: true,
      ...more,
    },
  );
  return { push, service, keyFile, device, unsubscribed };
};

test('the device decrypts what is sent, and the sender is signed with a key that only its owner can read', async () => {
  const { push, service, keyFile } = await opened();
  await push.send(notice('s1', 's2'));
  expect(service.messages.map(({ session, title }) => [session, title]).sort()).toEqual([
    ['s1', 'shop: done'],
    ['s2', 'shop: done'],
  ]);
  const [sender] = service.senders;
  expect(sender).toMatchObject({
    aud: new URL(service.subscription.endpoint).origin,
    sub: 'mailto:me@example.org',
  });
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  const key = await push.publicKey();
  expect(
    await new Push(() => ({ subject: 'mailto:a@b', services: ['x.y'], details: false }), {
      keyFile,
    } as PushDeps).publicKey(),
  ).toBe(key);
});

test('many sessions become one message', async () => {
  const { push, service } = await opened();
  await push.send(notice('1', '2', '3', '4', '5'));
  expect(service.messages).toMatchObject([{ title: '5 sessions wait for you', session: null }]);
});

test.each([404, 410])('a device that its service answers with %i is unsubscribed', async status => {
  const { push, service, unsubscribed } = await opened();
  service.status = status;
  await push.send(notice('s1'));
  expect(unsubscribed).toEqual(['aa']);
});

test('a failure names the device, and others still get the notification', async () => {
  const other = await openPushReceiver();
  const { push, service } = await opened({
    devices: () => [
      { id: 'aa', name: 'A phone', subscription: service.subscription },
      { id: 'bb', name: 'A tablet', subscription: other.subscription },
    ],
  });
  service.status = 503;
  await expect(push.send(notice('s1'))).rejects.toThrow('A phone aa: HTTP status 503');
  expect(other.messages).toHaveLength(1);
});

test('a redirect is a failure and is not followed: its address was not checked', async () => {
  const elsewhere = await openPushReceiver();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(307, { location: elsewhere.subscription.endpoint }).end();
    });
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/device`;
  const subscription = { ...elsewhere.subscription, endpoint };
  const { push } = await opened({ devices: () => [{ id: 'aa', name: 'A phone', subscription }] });
  await expect(push.send(notice('s1'))).rejects.toThrow('A phone aa: HTTP status 307');
  expect(elsewhere.messages).toEqual([]);
});

test('without the test flag nothing is sent to loopback, and without config nowhere', async () => {
  const { push, service, device } = await opened({ isTest: false });
  await expect(push.send(notice('s1'))).rejects.toThrow('not a plain https address');
  const off = new Push(() => undefined, { devices: () => [device] } as unknown as PushDeps);
  await off.send(notice('s1'));
  expect(await off.publicKey()).toBeNull();
  expect(() => off.check('https://push.example/x')).toThrow('does not name');
  expect(service.messages).toEqual([]);
});
