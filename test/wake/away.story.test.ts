/** Notifications: one digest of the sessions that are out of sight, and failures are reported. */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Notice } from '../../src/contract/notice.ts';
import { newest } from '../rig/cli.ts';
import { type Payload, sessionId } from '../rig/hook.ts';
import { attached } from '../rig/screen.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

test('one digest reports the sessions that are out of sight, by command, webhook and bell', async () => {
  const opened = await world({ version: newest, projects: ['shop', 'blog', 'seen'] });
  const { claude, drover, daemon, dir, root, droverHome } = opened;
  const bodies: string[] = [];
  const hub = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => {
      body += String(chunk);
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(500).end();
    });
  });
  await new Promise<void>(done => hub.listen(0, '127.0.0.1', done));
  onTestFinished(() => void hub.close());
  const file = join(root, 'notices');
  const notify = {
    after: 1,
    cooldown: 6,
    bell: true,
    command: ['sh', '-c', 'cat >> "$0"', file],
    webhook: `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`,
  };
  await writeFile(join(droverHome, 'config.json'), JSON.stringify({ notify, redact: ['hush-\\w+'] }));
  await drover('setup');
  const { url, token } = await daemon();
  const post = async (payload: Payload) => {
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${url}/event`, { method: 'POST', headers, body: JSON.stringify(payload) });
  };
  const seen = await claude({ prompt: 'SAY in sight', dir: dir('seen') });
  const person = await attached(opened, seen.name);
  await claude({ prompt: 'SAY hush-hush', dir: dir('shop') });
  const told = (count: number) =>
    until(
      20_000,
      () => `not ${count} notices`,
      async () => {
        const text = await readFile(file, 'utf8').catch(() => '');
        const notices = text.split('\n').filter(Boolean);
        return notices.length >= count ? notices.map(line => JSON.parse(line) as Notice) : undefined;
      },
    );
  const first = (await told(1))[0];
  expect(first).toMatchObject({ sessions: [{ project: 'shop', reason: 'stopped', request: '[redacted]' }] });
  await person.rings();

  // Two more while the cooldown lasts: one digest for both.
  for (const number of [1, 2])
    for (const hook_event_name of ['UserPromptSubmit', 'Stop'])
      await post({ session_id: sessionId(number), hook_event_name, cwd: dir('blog') });
  const notices = await told(2);
  expect(notices).toHaveLength(2);
  expect(notices[1]?.title).toMatch(/^2 sessions wait for you/);
  expect(notices[1]?.sessions.map(({ id }) => id)).toEqual([sessionId(1), sessionId(2)]);
  // A timer may fire a millisecond early.
  expect((notices[1]?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(5_990);

  await until(
    5_000,
    () => 'no webhook',
    () => bodies[1],
  );
  expect(bodies.map(body => JSON.parse(body) as Notice)).toEqual(notices);
  const status = await until(
    5_000,
    () => 'no failure in status',
    async () => {
      const said = (await drover('status')).stdout;
      return said.includes('2 FAILED') ? said : undefined;
    },
  );
  expect(status).toMatch(/^notify +2 notifications since the start, .* 2 FAILED: webhook: HTTP status 500$/m);
  expect((await drover('events', '--after', '0')).stdout).toContain('Notified');
});
