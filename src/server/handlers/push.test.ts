import { expect, test } from 'vitest';
import type { AuditPage } from '../../contract/audit.ts';
import { Config } from '../../contract/config.ts';
import type { Notice } from '../../contract/notice.ts';
import type { DeviceList } from '../../contract/page.ts';
import type { PushMessage } from '../../contract/push.ts';
import type { openPush } from '../../daemon/parts/push.ts';
import { fireAndFollow } from '../../testing/held-request.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { openPushReceiver } from '../../testing/push-receiver.ts';
import { openTestServer, type TestServer } from '../../testing/server.ts';
import { type Browser, signIn } from '../../testing/sign-in.ts';
import { waitFor } from '../../testing/wait-for.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const body = (value: unknown) => JSON.stringify(value);

const opened = async () => {
  const pipeline = await openPipeline();
  const push = { subject: 'mailto:me@example.org', services: ['127.0.0.1'], details: true };
  const ntfy = { server: 'https://ntfy.example', topic: 't', token: 'tk_1', actions: true };
  const notify = { page: 'https://desk.example', ntfy };
  const config = Config.parse({ ...pipeline.core.config, push, notify });
  const env = { ...pipeline.core.env, DROVER_TEST_PUSH: '1' };
  const server = await openTestServer({ ...pipeline, core: { ...pipeline.core, config, env } });
  return { ...server, config, service: await openPushReceiver() };
};

const pair = (server: TestServer): Promise<Browser> => signIn(server, true);

test('a paired device subscribes at a named service, and its subscription goes with it', async () => {
  const server = await opened();
  const { askLocal, service } = server;
  const phone = await pair(server);
  const state = async (browser: Browser) => (await browser.ask('GET', '/page/push')).json();
  expect(await state(phone)).toEqual({
    key: expect.stringMatching(/^[\w-]{87}$/) as string,
    paired: true,
    subscribed: false,
  });
  const subscribe = (browser: Browser, endpoint = service.subscription.endpoint) =>
    browser.ask('POST', '/page/push', body({ ...service.subscription, endpoint }));
  const elsewhere = await subscribe(phone, 'https://fcm.googleapis.com/x');
  expect([elsewhere.status, elsewhere.text]).toEqual([409, expect.stringContaining('push.services')]);
  const browser = await signIn(server);
  expect((await subscribe(browser)).json()).toMatchObject({
    error: { code: 'refused', message: 'Only a paired device gets push notifications.' },
  });
  expect((await subscribe(phone)).status).toBe(200);
  expect(await state(phone)).toMatchObject({ subscribed: true });
  const devices = async () => ((await askLocal('GET', '/page/devices')).json() as DeviceList).devices;
  expect((await devices()).map(({ paired, push }) => [paired, push]).sort()).toEqual([
    [false, false],
    [true, true],
  ]);

  await phone.ask('DELETE', '/page/push');
  expect(await state(phone)).toMatchObject({ subscribed: false });
  await subscribe(phone);
  const subscribed = (await devices()).find(({ push }) => push);
  await askLocal('DELETE', `/page/devices/${subscribed?.id}`);
  const part = partOf(server);
  await part.push.send(noticeOf(id));
  expect(service.messages).toEqual([]);
});

const partOf = ({ parts }: TestServer) =>
  parts.find(({ name }) => name === 'push') as unknown as ReturnType<typeof openPush>;

const noticeOf = (session: string): Notice => {
  const more = {
    title: null,
    project: 'shop',
    branch: null,
    since: 0,
    request: null,
    requestId: null,
    pane: null,
  };
  const says = 'needs approval';
  return {
    at: 0,
    title: '',
    text: '',
    sessions: [{ id: session, reason: 'permission', outcome: null, says, ...more }],
  };
};

/** A session whose requests are held, and a phone that is notified of them. */
const notified = async () => {
  const server = await opened();
  const { service, loop } = server;
  const phone = await pair(server);
  await phone.ask('POST', '/page/push', body(service.subscription));
  await loop.append([{ draft: hookDraft('SessionStart', { source: 'startup' }) }]);
  await phone.ask('POST', `/sessions/${id}/approvals`, body({ approvals: 'held' }));
  return {
    ...server,
    phone,
    /** The session asks, and the phone gets a notification. `hook` is the answer that its hook gets. */
    asks: async (command: string) => {
      const call = { tool_name: 'Bash', tool_input: { command } };
      const hook = fireAndFollow(server, id, call);
      await waitFor(() => {
        const request = loop.sessionIndex.get(id)?.requests.at(-1);
        expect(request?.line).toContain(command.slice(0, 20));
        expect(request?.until).toBeTypeOf('number');
      });
      await partOf(server).push.send(noticeOf(id));
      return { hook, message: service.messages.at(-1) as PushMessage, call };
    },
    press: async (
      message: PushMessage,
      choice: string,
      more: Record<string, string> = {},
      device: Browser = phone,
    ) => {
      const { key, request } = message;
      const answer = await device.ask('POST', '/page/push/answer', body({ key, request, choice }), more);
      const { error } = answer.json() as { error?: { message: string } };
      return error?.message ?? answer.status;
    },
  };
};

test('a notification answers its request once, from its device', async () => {
  const { ask, asks, press, ...server } = await notified();
  const first = await asks('touch made');
  expect(first.message).toMatchObject({ body: 'Bash: touch made', actions: ['allow', 'deny'] });
  expect(await press(first.message, 'allow', { Cookie: '' })).toMatch('expired');
  expect(await press(first.message, 'allow', { 'Sec-Fetch-Site': 'none' })).toMatch('other origins');
  const tablet = await pair({ ask, ...server });
  expect(await press(first.message, 'allow', {}, tablet)).toMatch('expired');
  // Its cookie, which browsers send to every port, without the proof of its page.
  expect(await press(first.message, 'allow', { 'X-Drover-Page': '' })).toMatch('expired');
  expect(await press({ ...first.message, request: 1 }, 'allow')).toMatch('belongs to another request');
  expect(await press(first.message, 'allow')).toBe(200);
  expect(await first.hook).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'allow' } },
  });
  expect(await press(first.message, 'deny')).toBe('This notification was already answered.');

  const { entries } = (await ask('GET', '/audit?last=20')).json() as AuditPage;
  const answers = entries.filter(({ action }) => action === 'answer');
  expect(answers.map(({ caller, result }) => [caller.kind, result])).toContainEqual(['page', 'ok']);
  expect(answers.map(({ result }) => result)).toContain('stale_action');
});

test('a request that does not fit can be denied, not allowed', async () => {
  const { asks, press } = await notified();
  const { hook, message } = await asks(`touch ${'x'.repeat(300)}`);
  expect(message.actions).toEqual(['review', 'deny']);
  expect(await press(message, 'allow')).toBe('This notification cannot answer with `allow`.');
  expect(await press(message, 'deny')).toBe(200);
  expect(await hook).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
});

test('a request that the terminal answered first is not answered again', async () => {
  const { asks, press, loop } = await notified();
  const { message, call } = await asks('touch made');
  await loop.append([{ draft: hookDraft('PostToolUse', call) }]);
  expect(await press(message, 'allow')).toMatch(/^Already allowed in the terminal .+ ago\.$/);
});

test('a key for ntfy answers without a cookie, once; a key for a phone does not', async () => {
  const { asks, ask, askLocal, ...server } = await notified();
  const { hook, message } = await asks('touch made');
  const offer = await partOf({ ask, askLocal, ...server }).offerToNtfy(
    noticeOf(id).sessions[0] as Notice['sessions'][number],
    true,
  );
  expect(offer).toMatchObject({
    body: 'Bash: touch made',
    actions: ['allow', 'deny'],
    request: message.request,
  });
  const press = async ({ key, request }: PushMessage, choice: string) => {
    const answer = await ask('POST', '/notifications/answer', body({ key, request, choice }), {
      Authorization: '',
    });
    return (answer.json() as { error?: { message: string } }).error?.message ?? answer.status;
  };
  expect(await press(message, 'deny')).toMatch('expired');
  expect(await press({ ...offer, request: 1 }, 'deny')).toMatch('belongs to another request');
  expect(await press(offer, 'deny')).toBe(200);
  expect(await hook).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
  expect(await press(offer, 'deny')).toMatch('already answered');
  const { entries } = (await askLocal('GET', '/audit')).json() as AuditPage;
  const answers = entries.filter(({ action }) => action === 'answer');
  expect(answers.map(({ caller, result }) => [caller.kind, caller.name, result])).toEqual([
    ['notification', 'ntfy', 'ok'],
  ]);
});

test('a key for ntfy ends with the setting, its reload and the token; that of a phone with the token', async () => {
  const { asks, press, ...server } = await notified();
  const { ask, askLocal, config, loop } = server;
  const { hook, message, call } = await asks('touch made');
  const { offerToNtfy, reload } = partOf(server);
  const offer = () => offerToNtfy(noticeOf(id).sessions[0] as Notice['sessions'][number], true);
  const pressNtfy = async ({ key, request }: PushMessage) => {
    const answer = await ask('POST', '/notifications/answer', body({ key, request, choice: 'deny' }), {
      Authorization: '',
    });
    return (answer.json() as { error?: { message: string } }).error?.message ?? answer.status;
  };
  const before = await offer();
  const ntfy = config.notify?.ntfy as { actions: boolean };
  ntfy.actions = false;
  expect(await pressNtfy(before)).toMatch('expired');
  ntfy.actions = true;
  reload(new Set(['notify']));
  expect(await pressNtfy(before)).toMatch('expired');

  const again = await offer();
  expect((await askLocal('POST', '/token/rotate')).status).toBe(200);
  expect(await pressNtfy(again)).toMatch('expired');
  expect(await press(message, 'deny')).toMatch('expired');
  await loop.append([{ draft: hookDraft('PostToolUse', call) }]);
  await hook;
});
