/** The examples run unchanged against the real CLI, and so does `drover/client`, which they use. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { versions } from '../rig/cli.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

const example = (name: string): string => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const [older, newer] = versions as unknown as [(typeof versions)[0], (typeof versions)[0]];

test('one prompt to five sessions returns five answers', async () => {
  const projects = ['one', 'two', 'three', 'four', 'five'];
  const opened = await world({ version: older, projects });
  await opened.daemon();
  const { code, stdout, stderr } = await opened.run(
    process.execPath,
    [example('fan-out.mjs'), 'SAY from everywhere', ...projects.map(name => opened.dir(name))],
    { ms: 60_000 },
  );
  expect([code, stderr]).toEqual([0, '']);
  const answers = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { answer: string; folder: string });
  expect(answers.map(({ answer }) => answer)).toEqual(projects.map(() => 'from everywhere'));
  expect(new Set(answers.map(({ folder }) => folder)).size).toBe(5);
});

test('a relay posts waiting sessions to a webhook and executes its answers', async () => {
  const opened = await world({ version: newer });
  const { url, token } = await opened.daemon();
  const posts: { reason: string; asks: string }[] = [];
  const webhook = createServer((request, response) => {
    let text = '';
    request.on('data', chunk => (text += String(chunk)));
    request.on('end', () => {
      const post = JSON.parse(text) as (typeof posts)[0] & { held: boolean };
      posts.push(post);
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(post.held ? { behavior: 'allow' } : {}));
    });
  });
  await new Promise<void>(done => webhook.listen(0, '127.0.0.1', done));
  onTestFinished(() => void webhook.close());
  const address = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/`;
  const relay = opened.run(process.execPath, [example('relay.mjs'), address], { ms: 30_000 });
  const response = await fetch(`${url}/sessions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      session_id: randomUUID(),
      cwd: opened.dir(),
      permission_mode: 'default',
      approvals: 'held',
      prompt: 'RUN touch made',
    }),
  });
  expect(response.status).toBe(201);
  await until(
    20_000,
    () => `not allowed; ${JSON.stringify(posts)}`,
    () => existsSync(join(opened.dir(), 'made')) || undefined,
  );
  await until(
    10_000,
    () => `no end; ${JSON.stringify(posts)}`,
    () => posts.find(({ reason }) => reason === 'stopped'),
  );
  expect(posts.find(({ reason }) => reason === 'permission')).toMatchObject({ asks: 'Bash: touch made' });
  await opened.close();
  await relay.catch(() => {});
});
