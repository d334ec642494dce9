/** When notifications are sent: after a delay, not in a cooldown, not in quiet hours; and the log says why not. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Notice, NoticePage } from '../../src/contract/notice.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { screenOf } from '../rig/screen.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

/** Quiet hours that hold now in any time zone: all day but one minute, 20 minutes from now, and no zone is off by that. */
const quietNow = () => {
  const time = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString().slice(11, 16);
  return { from: time(21), to: time(20) };
};

/** A button of a notification, as the app of ntfy presses it. */
interface NtfyAction {
  label: string;
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}

/** A stand-in for an ntfy server. */
const ntfyServer = async () => {
  const published: { body: Record<string, unknown>; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', chunk => {
      text += String(chunk);
    });
    request.on('end', () => {
      const body = JSON.parse(text) as Record<string, unknown>;
      published.push({ body, authorization: request.headers.authorization });
      response.end('{}');
    });
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { published, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

test('an approval that waits is notified once; cooldown and quiet hours suppress, and the log says so', async () => {
  const { claude, run, dir, root, droverHome } = await world({ version: newest, projects: ['shop'] });
  // Permits http on loopback for notifications that answer.
  const env = { DROVER_TEST_PUSH: '1' };
  const drover = (...args: string[]) => run(process.execPath, [MAIN, ...args], { env });
  const { published, url } = await ntfyServer();
  const file = join(root, 'notices');
  const ntfy = { server: url, topic: 'drover-story', token: 'tk_story' };
  const configure = (more: object) =>
    writeFile(
      join(droverHome, 'config.json'),
      JSON.stringify({
        env: { pass: Object.keys(env) },
        notify: {
          blockedAfter: 1,
          finishedAfter: null,
          page: 'https://desk.example',
          command: ['sh', '-c', 'cat >> "$0"', file],
          ntfy,
          ...more,
        },
      }),
    );
  const notices = async () =>
    (await readFile(file, 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Notice);
  const log = async () => JSON.parse((await drover('notify', 'log', '--json')).stdout) as NoticePage;
  const suppressed = (reason: string) =>
    until(
      20_000,
      () => `nothing was suppressed by ${reason}`,
      async () => (await log()).entries.find(entry => entry.reason === reason),
    );

  await configure({ sessionCooldown: 3_600 });
  await drover('setup');
  expect((await drover('up')).code).toBe(0);
  const seat = await claude({ prompt: 'TIMES 2 touch made', dir: dir('shop') });
  await seat.asks('Do you want to proceed?');
  const [first] = await until(
    20_000,
    () => 'no notice',
    async () => {
      const found = await notices();
      return found.length > 0 && published.length > 0 ? found : undefined;
    },
  );
  const session = first?.sessions[0];
  expect(session).toMatchObject({
    project: 'shop',
    reason: 'permission',
    says: 'needs approval',
    requestId: expect.any(Number) as number,
  });
  expect((first?.at ?? 0) - (session?.since ?? 0)).toBeGreaterThanOrEqual(990);
  expect(published).toEqual([
    {
      authorization: 'Bearer tk_story',
      body: {
        topic: 'drover-story',
        title: 'shop: needs approval',
        message: 'Drover',
        priority: 4,
        tags: ['drover'],
        click: `https://desk.example/#/s/${session?.id}`,
      },
    },
  ]);

  // The second request comes within the cooldown of its session.
  await seat.press('Enter');
  const cooled = await suppressed('cooldown');
  expect(cooled).toMatchObject({ outcome: 'suppressed', channel: null, sessions: [session?.id] });

  // A restart repeats nothing; in quiet hours, which apply at once, nothing is sent.
  expect((await drover('restart')).code).toBe(0);
  await configure({ sessionCooldown: 0, quietHours: quietNow() });
  await suppressed('quiet hours');
  expect(await notices()).toHaveLength(1);
  expect(published).toHaveLength(1);
  const table = (await drover('notify')).stdout;
  expect(table).toMatch(/ sent +ntfy +\w{8} +- +\S/);
  expect(table).toMatch(/ suppressed +- +\w{8} +cooldown +\S/);
  expect(table).toMatch(/ suppressed +- +\w{8} +quiet hours +\S/);
  expect((await drover('status')).stdout).toMatch(/^notify .*, 1 suppressed$/m);

  // Where the config says so, the notification can be answered from the phone.
  const { url: page } = JSON.parse(await readFile(join(droverHome, 'daemon.json'), 'utf8')) as {
    url: string;
  };
  await configure({ sessionCooldown: 0, page, ntfy: { ...ntfy, details: true, actions: true } });
  const offered = await until(
    20_000,
    () => 'no notification that can be answered',
    () => published.find(({ body }) => body.actions !== undefined)?.body,
  );
  expect(offered).toMatchObject({
    title: 'shop: needs approval',
    message: expect.stringContaining('touch made-2') as string,
  });
  const [allow] = offered.actions as [NtfyAction, ...NtfyAction[]];
  expect(allow.label).toBe('Allow');
  const press = () => fetch(allow.url, { method: allow.method, headers: allow.headers, body: allow.body });
  expect((await press()).status).toBe(200);
  await until(
    20_000,
    () => 'made-2 was not made',
    () => existsSync(join(dir('shop'), 'made-2')) || undefined,
  );
  expect((await press()).status).toBe(409);
  expect((await drover('audit')).stdout).toMatch(/ answer +\w{8} +ok +.*notification ntfy/);

  expect((await drover('notify', 'test')).stdout).toBe('ok    command\nok    ntfy\n');
  expect(published.at(-1)?.body.title).toBe('Drover can notify you');
});

test('`drover setup` asks in a terminal whether to notify, once', async () => {
  const opened = await world({ version: newest });
  const setup = () =>
    screenOf(opened, ['sh', '-c', '"$@"; echo "left with $?"; cat', 'sh', process.execPath, MAIN, 'setup'], {
      columns: 200,
    });
  const asked = await setup();
  await asked.sees('Send notifications when a session has waited 30 s');
  await asked.press('y');
  expect(await asked.sees('left with 0')).toMatch(
    /Notifications are on, (?:through the terminal bell|on the desktop)/,
  );
  const config = await readFile(join(opened.droverHome, 'config.json'), 'utf8');
  expect(JSON.parse(config)).toMatchObject({ notify: expect.any(Object) as object });
  // Not again, also without the settings.
  await writeFile(join(opened.droverHome, 'config.json'), '{}');
  const again = await setup();
  expect(await again.sees('left with 0')).not.toContain('Notif');

  // From outside: a port without TLS is only for this machine, and nothing else is open.
  const { url } = await opened.daemon();
  const { code, stdout } = await opened.drover('doctor', '--at', url);
  expect(stdout).toMatch(/^- {5}https .*only for localhost/m);
  expect(stdout).toMatch(/^ok {4}signed out .* routes refuse a caller without a key$/m);
  expect(stdout).toMatch(/^ok {4}pairing /m);
  expect(stdout).not.toContain('FAIL');
  expect(code).toBe(0);
});
