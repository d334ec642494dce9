import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { collisionNotice } from '../changes/collision-notice.ts';
import type { Collision } from '../contract/changes.ts';
import { CheckedNotifyConfig } from '../contract/checked-notify-config.ts';
import { type Notice, NotifyConfig } from '../contract/notice.ts';
import { bsd } from '../platform/bsd/bsd.ts';
import { platform } from '../platform/choose.ts';
import { linux } from '../platform/linux/linux.ts';
import { channelsOf } from './channels.ts';
import { deliver } from './deliver.ts';
import { desktopProgram } from './desktop.ts';
import type { OfferAnswers } from './ntfy.ts';

const session: Notice['sessions'][number] = {
  id: 'aaaaaaaa-0000-4000-8000-000000000001',
  title: 'Export',
  project: 'shop',
  branch: null,
  reason: 'permission',
  outcome: null,
  says: 'needs approval',
  since: 1,
  request: 'Bash: rm -r build',
  requestId: 7,
  pane: null,
};
const notice: Notice = { at: 1, title: '--help waits for you', text: 'shop: a <b> & c', sessions: [session] };
const sent = (channel: string) => ({ channel, failure: null });

const send = (
  settings: object,
  sending = notice,
  ring: (notice: Notice) => Promise<void> = async () => {},
  offer: OfferAnswers | null = null,
) => deliver(sending, channelsOf(NotifyConfig.parse(settings), ring, offer));

/** A folder with programs of the given names, each of which writes its arguments and its input into a file. */
const programs = (...names: string[]) => {
  const dir = mkdtempSync(join(tmpdir(), 'dn-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const name of names) {
    writeFileSync(
      join(dir, name),
      `#!/bin/sh\nfor word; do printf '%s\\n' "$word"; done > '${dir}/args'\ncat > '${dir}/input'\n`,
    );
    chmodSync(join(dir, name), 0o755);
  }
  return { dir, read: (name: string) => readFileSync(join(dir, name), 'utf8') };
};

/** A server that answers with a status and keeps what it was sent. */
const server = async (status: number) => {
  const requests: { path: string; headers: IncomingHttpHeaders; body: unknown }[] = [];
  const http = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk as Buffer));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => void http.close());
  return { requests, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
};

test('a command gets the notice on standard input', async () => {
  const { dir, read } = programs('tell');
  const command = [join(dir, 'tell'), '-x', 'two words'];
  expect(await send({ command })).toEqual([sent('command')]);
  expect(read('args')).toBe('-x\ntwo words\n');
  expect(JSON.parse(read('input'))).toEqual(notice);
});

const onDesktop = {
  linux: {
    program: 'notify-send',
    args: '--app-name=drover\n--\n--help waits for you\nshop: a &lt;b&gt; &amp; c\n',
    missing: 'notify-send is not installed',
  },
  bsd: {
    program: 'terminal-notifier',
    args: '-title\n\\--help waits for you\n-message\nshop: a <b> & c\n',
    missing: 'terminal-notifier or osascript is not installed',
  },
}[platform.name];

test('a desktop gets the title as one argument, and the text as its program reads it', async () => {
  const { dir, read } = programs(onDesktop.program);
  vi.stubEnv('PATH', `${dir}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await send({ desktop: true })).toEqual([sent('desktop')]);
  expect(read('args')).toBe(onDesktop.args);
  vi.stubEnv('PATH', '/nowhere');
  expect(await send({ desktop: true })).toEqual([{ channel: 'desktop', failure: onDesktop.missing }]);
});

test('the best program for notifications that is installed is used', () => {
  const { dir } = programs('notify-send', 'terminal-notifier', 'osascript');
  expect(desktopProgram(dir, linux.desktop)).toBe(join(dir, 'notify-send'));
  expect(desktopProgram(dir, bsd.desktop)).toBe(join(dir, 'terminal-notifier'));
  rmSync(join(dir, 'terminal-notifier'));
  expect(desktopProgram(dir, bsd.desktop)).toBe(join(dir, 'osascript'));
  expect(desktopProgram('/nowhere', linux.desktop)).toBe(null);
});

test('a webhook on loopback gets the notice, and failures name their channel', async () => {
  const good = await server(204);
  expect(await send({ webhook: `${good.url}/hook` })).toEqual([sent('webhook')]);
  expect(good.requests).toMatchObject([{ path: '/hook', body: notice }]);
  const bad = await server(500);
  const everything = { bell: true, command: ['/nowhere/tell'], webhook: bad.url };
  expect(await send(everything, notice, () => Promise.reject(new Error('no terminal')))).toEqual([
    { channel: 'bell', failure: 'no terminal' },
    { channel: 'command', failure: 'spawn /nowhere/tell ENOENT' },
    { channel: 'webhook', failure: 'HTTP status 500' },
  ]);
  expect(await send({ command: ['sh', '-c', 'echo no >&2; exit 3'] })).toEqual([
    { channel: 'command', failure: 'sh exited with 3: no' },
  ]);
});

test('ntfy gets project and reason, the token and a link; the request only when asked for', async () => {
  const { requests, url } = await server(200);
  const ntfy = { server: url, topic: 'drover-7f3k2', token: 'tk_1' };
  const page = 'https://desk.example.ts.net/';
  expect(await send({ page, ntfy })).toEqual([sent('ntfy')]);
  expect(await send({ ntfy: { ...ntfy, token: undefined, details: true, priority: 5 } })).toEqual([
    sent('ntfy'),
  ]);
  const two = { ...notice, sessions: [session, { ...session, project: null, says: 'done' }] };
  await send({ page, ntfy }, two);
  const budget = { at: 1, title: 'Budget reached', text: 'See drover usage', sessions: [] };
  await send({ ntfy }, budget);
  expect(requests.map(({ path, body }) => ({ path, body }))).toEqual([
    {
      path: '/',
      body: {
        topic: 'drover-7f3k2',
        title: 'shop: needs approval',
        message: 'Drover',
        priority: 4,
        tags: ['drover'],
        click: `https://desk.example.ts.net/#/s/${session.id}`,
      },
    },
    {
      path: '/',
      body: { topic: ntfy.topic, title: notice.title, message: notice.text, priority: 5, tags: ['drover'] },
    },
    {
      path: '/',
      body: {
        topic: ntfy.topic,
        title: '2 sessions wait for you',
        message: 'shop: needs approval\naaaaaaaa: done',
        priority: 4,
        tags: ['drover'],
        click: 'https://desk.example.ts.net/',
      },
    },
    {
      path: '/',
      body: {
        topic: ntfy.topic,
        title: 'Budget reached',
        message: 'See drover usage',
        priority: 4,
        tags: ['drover'],
      },
    },
  ]);
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer tk_1',
    undefined,
    'Bearer tk_1',
    'Bearer tk_1',
  ]);
});

test('a notice about no session says its brief form at ntfy, unless `details` asks for all', async () => {
  const { requests, url } = await server(200);
  const ntfy = { server: url, topic: 'drover-7f3k2' };
  const one = { id: session.id, title: 'Secret plan' };
  const collision = collisionNotice({ path: '/p/secret.ts', sessionId: 'b' } as Collision, one, undefined);
  for (const details of [false, true])
    await send({ ntfy: { ...ntfy, details } }, { at: 1, ...collision, sessions: [] });
  const bodies = requests.map(({ body }) => body as { title: string; message: string });
  expect(bodies[0]).toMatchObject({ title: 'Two sessions change the same file', message: 'Drover' });
  expect(bodies[1]?.message).toContain('"Secret plan"');
});

test('an ntfy server must be named, and a topic must be one', () => {
  for (const ntfy of [
    { topic: 'a' },
    { server: 'https://ntfy.example', topic: 'a/b' },
    { server: 'ntfy', topic: 'a' },
  ])
    expect(NotifyConfig.safeParse({ ntfy }).success).toBe(false);
});

test('ntfy offers answers only where the config says so, for one session, with a key and to the page', async () => {
  const { requests, url } = await server(200);
  const ntfy = { server: url, topic: 'drover-7f3k2', token: 'tk_1' };
  const page = 'https://desk.example/';
  const offer: OfferAnswers = async ({ id }, details) => ({
    title: 'shop: needs approval',
    body: details ? 'Bash: rm -r build' : '',
    tag: id,
    session: id,
    actions: details ? ['allow', 'deny'] : ['review', 'deny'],
    request: 7,
    key: 'k1',
  });
  const sendTo = (settings: object, sending = notice) =>
    send({ page, ntfy: { ...ntfy, ...settings } }, sending, undefined, offer);
  await sendTo({});
  await sendTo({ actions: true });
  await sendTo({ actions: true, details: true });
  await sendTo({ actions: true }, { ...notice, sessions: [session, session] });
  const button = (label: string, choice: string) => ({
    action: 'http',
    label,
    url: 'https://desk.example/notifications/answer',
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ key: 'k1', request: 7, choice }),
    clear: true,
  });
  expect(requests.map(({ body }) => (body as { actions?: unknown }).actions)).toEqual([
    undefined,
    [button('Deny', 'deny')],
    [button('Allow', 'allow'), button('Deny', 'deny')],
    undefined,
  ]);
  expect(requests[2]?.body).toMatchObject({ message: 'Bash: rm -r build' });
  const refused = (settings: object) => CheckedNotifyConfig.safeParse(settings).error?.issues[0]?.message;
  expect(refused({ page, ntfy: { ...ntfy, token: undefined, actions: true } })).toContain('needs a `token`');
  expect(refused({ ntfy: { ...ntfy, actions: true } })).toContain('needs `page`');
});

test('ntfy answers over https only: its keys must not travel in clear', () => {
  const accepted = (server: string, page: string, more = {}) =>
    CheckedNotifyConfig.safeParse({
      page,
      ntfy: { server, topic: 't', token: 'tk_1', actions: true, ...more },
    }).error?.issues[0]?.message ?? 'accepted';
  const [desk, ntfy] = ['https://desk.example', 'https://ntfy.example'];
  expect(accepted(ntfy, desk)).toBe('accepted');
  expect(accepted('http://ntfy.example', desk)).toContain('needs https');
  expect(accepted(ntfy, 'http://desk.example')).toContain('needs https');
  expect(accepted(ntfy, 'http://127.0.0.1:4300')).toContain('needs https');
  expect(accepted('http://ntfy.example', 'http://desk.example', { actions: false })).toBe('accepted');
  vi.stubEnv('DROVER_TEST_PUSH', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(accepted('http://127.0.0.1:99', 'http://127.0.0.1:98')).toBe('accepted');
  expect(accepted('http://127.0.0.1.example', desk)).toContain('needs https');
});

/** The recipe of a chat service, as the guide has it. */
const recipe = (name: string) => {
  const guide = readFileSync(new URL('../../docs/guides/notifications.md', import.meta.url), 'utf8');
  const text = new RegExp(`\`\`\`json ${name}\\n([^]*?)\`\`\``).exec(guide)?.[1] ?? '';
  const { webhook } = (JSON.parse(text) as { notify: { webhook: { url: string } } }).notify;
  return webhook;
};

/** Sends by the recipe of a service to a stand-in for it; returns what arrives there. */
const arriving = async (name: string, sending: Notice): Promise<{ path: string; body: unknown }> => {
  const { requests, url } = await server(200);
  const webhook = recipe(name);
  const own = { ...webhook, url: `${url}${new URL(webhook.url).pathname}` };
  expect(await send({ page: 'https://desk.example', webhook: own }, sending)).toEqual([sent(name)]);
  return requests[0] as { path: string; body: unknown };
};

const loud: Notice = {
  ...notice,
  title: 'Say "hi" <!channel> @everyone',
  text: `shop: needs approval, Bash: echo "{{url}}" && true\n${'x'.repeat(5_000)}`,
};
const link = `https://desk.example/#/s/${session.id}`;

test('the recipe for Slack posts `text`, and nothing in it alerts a channel', async () => {
  const { path, body } = await arriving('slack', loud);
  const { text } = body as { text: string };
  expect(path).toMatch(/^\/services\/\w+\/\w+\/\w+$/);
  expect(Object.keys(body as object)).toEqual(['text']);
  expect(text).toContain(
    '*Say "hi" &lt;!channel&gt; @everyone*\nshop: needs approval, Bash: echo "{{url}}" &amp;&amp; true\n',
  );
  expect(text.endsWith(`…\n${link}`)).toBe(true);
  expect(text).not.toMatch(/[<>]/);
  expect(text.length).toBeLessThan(40_000);
});

test('the recipe for Discord posts at most 2,000 characters of `content`, without mentions', async () => {
  const { path, body } = await arriving('discord', loud);
  expect(path).toMatch(/^\/api\/webhooks\/\d+\/\w+$/);
  expect(body).toEqual({ content: expect.any(String) as string, allowed_mentions: { parse: [] } });
  const { content } = body as { content: string };
  expect(content.startsWith('**Say "hi" <!channel> @everyone**\nshop: ')).toBe(true);
  expect(content.length).toBeLessThanOrEqual(2_000);
});

test('the recipe for Telegram calls sendMessage with a chat and at most 4,096 characters', async () => {
  const { path, body } = await arriving('telegram', loud);
  expect(path).toMatch(/^\/bot\d+:\w+\/sendMessage$/);
  expect(body).toEqual({
    chat_id: expect.any(Number) as number,
    text: expect.stringContaining('Say "hi" <!channel> @everyone\nshop: ') as string,
    link_preview_options: { is_disabled: true },
  });
  expect((body as { text: string }).text.length).toBeLessThanOrEqual(4_096);
});

test('a template fills every text of its JSON, sends its headers, and several webhooks are a list', async () => {
  const { requests, url } = await server(200);
  const body = {
    list: ['{{title}}', 3, null, { count: '{{count}}', unknown: '{{nothing}}', url: '{{url}}' }],
  };
  const settings = [{ url, name: 'first', body, headers: { 'X-Key': 'k' } }, { url }];
  expect(await send({ webhook: settings })).toEqual([sent('first'), sent('webhook')]);
  const bodies = requests.map(request => request.body);
  expect(bodies).toContainEqual({
    list: ['--help waits for you', 3, null, { count: '1', unknown: '{{nothing}}', url: '' }],
  });
  expect(bodies).toContainEqual(notice);
  expect(requests.filter(({ headers }) => headers['x-key'] === 'k')).toHaveLength(1);
});
