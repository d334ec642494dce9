/** Someone who is away is told: of what they do not see, in one digest, and a failure to tell is no secret. */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Notice } from '../src/contract/notice.ts';
import { versions } from './rig/cli.ts';
import { attached } from './rig/screen.ts';
import { world } from './rig/story.ts';
import { until } from './rig/within.ts';

test('one digest tells of the sessions that nobody looks at, by command, webhook and bell', async () => {
  const opened = await world({ version: versions[1], projects: ['shop', 'blog', 'seen'] });
  const { claude, drover, daemon, dir, root, droverHome } = opened;
  const bodies: string[] = [];
  const hub = createServer((request, response) => {
    request.on('data', chunk => bodies.push(String(chunk)));
    request.on('end', () => response.writeHead(500).end());
  });
  await new Promise<void>(done => hub.listen(0, '127.0.0.1', done));
  onTestFinished(() => void hub.close());
  const file = join(root, 'notices');
  const notify = {
    after: 4,
    cooldown: 600,
    bell: true,
    command: ['sh', '-c', 'cat >> "$0"', file],
    webhook: `http://127.0.0.1:${(hub.address() as AddressInfo).port}/`,
  };
  await writeFile(join(droverHome, 'config.json'), JSON.stringify({ notify, redact: ['hush-\\w+'] }));
  await drover('setup');
  await daemon();
  const seen = await claude({ prompt: 'SAY in sight', dir: dir('seen') });
  const person = await attached(opened, seen.name);
  await claude({ prompt: 'SAY hush-hush', dir: dir('shop') });
  await claude({ prompt: 'RUN touch made', dir: dir('blog') });

  const text = await until(
    20_000,
    () => 'nobody was told',
    () => readFile(file, 'utf8').catch(() => undefined),
  );
  const notices = text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Notice);
  expect(notices).toHaveLength(1);
  const told = notices[0]?.sessions.map(({ project, reason, asks }) => `${project}/${reason} ${asks}`) ?? [];
  expect(told).toContain('shop/stopped [redacted]');
  expect(told.join()).not.toContain('seen');
  await until(
    5_000,
    () => 'no webhook',
    () => bodies[0],
  );
  expect(JSON.parse(bodies.join(''))).toEqual(notices[0]);
  await person.rings();
  const status = await until(
    5_000,
    () => 'no failure in status',
    async () => {
      const said = (await drover('status')).stdout;
      return said.includes('FAILED') ? said : undefined;
    },
  );
  expect(status).toMatch(/^notify +1 notices since the start, .* 1 FAILED: webhook: the answer was 500$/m);
  expect((await drover('events', '--after', '0')).stdout).toContain('Notified');
});
