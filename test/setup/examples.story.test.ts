/** The examples run unchanged against the real CLI, and so does `drover/client`, which they use. */
import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { newest } from '../rig/cli.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const example = (name: string): string => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const older = newest;
const newer = newest;

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

test('a Slack bot asks in a channel, and a CI job waits for the session until somebody has clicked', async () => {
  const opened = await world({ version: newer });
  const { url, token } = await opened.daemon();
  const slack = await slackStandIn();
  const bot = started(opened, [example('slack-approvals.mjs')], {
    SLACK_API: slack.address,
    SLACK_BOT_TOKEN: 'xoxb-of-the-story',
    SLACK_SIGNING_SECRET: 'signed-in-the-story',
    SLACK_CHANNEL: 'C1',
    SLACK_USERS: 'U1',
    PORT: '0',
  });
  const [, port] = await until(
    20_000,
    () => `not listening; ${bot.said()}`,
    () => /listening on (\d+)/.exec(bot.said()) ?? undefined,
  );
  const id = randomUUID();
  const response = await fetch(`${url}/sessions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({
      session_id: id,
      cwd: opened.dir(),
      permission_mode: 'default',
      prompt: 'RUN touch made',
    }),
  });
  expect(response.status).toBe(201);
  const asked = await until(
    30_000,
    () => `nothing in the channel; ${bot.said()}`,
    () => slack.calls.find(({ method }) => method === 'chat.postMessage'),
  );
  expect(asked.authorization).toBe('Bearer xoxb-of-the-story');
  expect(asked.body).toMatchObject({ channel: 'C1', text: expect.stringContaining('Bash: touch made') });
  const job = started(opened, [example('wait-for-session.mjs'), shortId(id), '180'], {
    DROVER_URL: url,
    DROVER_TOKEN: token,
  });
  await until(
    20_000,
    () => `the job says ${job.said()}`,
    () => /waiting \(permission\)/.test(job.said()) || undefined,
  );
  const value = (asked.body.blocks[1]?.elements ?? []).find(({ action_id: name }) => name === 'allow')?.value;
  const click = (user: string, secret: string) => {
    const body = new URLSearchParams({
      payload: JSON.stringify({ user: { id: user }, actions: [{ value }] }),
    });
    const time = String(Math.floor(Date.now() / 1_000));
    const hash = createHmac('sha256', secret)
      .update(`v0:${time}:${String(body)}`)
      .digest('hex');
    const headers = { 'X-Slack-Request-Timestamp': time, 'X-Slack-Signature': `v0=${hash}` };
    return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
  };
  expect((await click('U1', 'forged')).status).toBe(401);
  expect((await click('U2', 'signed-in-the-story')).status).toBe(200);
  expect(existsSync(join(opened.dir(), 'made'))).toBe(false);
  expect((await click('U1', 'signed-in-the-story')).status).toBe(200);
  expect([await job.exited, job.said()]).toEqual([0, expect.stringMatching(/done\n$/)]);
  expect(existsSync(join(opened.dir(), 'made'))).toBe(true);
  const shown = await until(
    20_000,
    () => `not updated; ${bot.said()}`,
    () => slack.calls.find(({ method }) => method === 'chat.update'),
  );
  expect(shown.body).toMatchObject({ ts: '1.5', text: expect.stringContaining('Allowed by <@U1>') });

  // What the message does not show to its end can only be denied there.
  const long = await fetch(`${url}/sessions/${id}/message`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify({ text: `RUN touch ${'x'.repeat(100)} ${'y '.repeat(1_500)}` }),
  });
  expect(long.status).toBe(200);
  const cut = await until(
    60_000,
    () => `no second message; ${bot.said()}`,
    () => slack.calls.filter(({ method }) => method === 'chat.postMessage')[1],
  );
  expect(cut.body.text).toContain('open Drover to read all of it');
  expect(cut.body.blocks[1]?.elements?.map(({ action_id: name }) => name)).toEqual(['deny']);

  const metrics = await (
    await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${token}` } })
  ).text();
  const known = new Set([...metrics.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
  const dashboard = JSON.parse(readFileSync(example('grafana-dashboard.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const named = dashboard.panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/(?:drover|process)_\w+/g) ?? ['no metric']),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter(name => !known.has(name))).toEqual([]);
});

test('a nightly batch reports what is done and where somebody is needed', async () => {
  const opened = await world({ version: older, projects: ['one', 'two'] });
  await opened.daemon();
  const report = join(opened.dir(), 'nightly.md');
  const batch = (...args: string[]) =>
    opened.run(process.execPath, [example('nightly.mjs'), '--report', report, ...args], { ms: 90_000 });
  const done = await batch('SAY all is well', opened.dir('one'), opened.dir('two'));
  expect([done.code, done.stderr]).toEqual([0, '']);
  expect(readFileSync(report, 'utf8')).toMatch(
    /2 of 2 done[^]*## Done: .*one\n\nall is well[^]*## Done: .*two/,
  );
  const { code } = await batch('--minutes', '0.5', '--mode', 'default', 'RUN touch made', opened.dir('one'));
  expect(code).toBe(1);
  expect(readFileSync(report, 'utf8')).toMatch(
    /0 of 1 done[^]*## NOT DONE: .*one[^]*touch made[^]*drover go [0-9a-f]{8}/,
  );
});

/** A program that runs beside the story until it ends by itself, or with it. */
const started = (opened: World, args: string[], env: Record<string, string>) => {
  const child = spawn(process.execPath, args, {
    cwd: opened.home,
    env: opened.env(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { said: () => said, exited: once(child, 'close').then(([code]) => code as number | null) };
};

interface SlackCall {
  method: string;
  authorization: string | undefined;
  body: {
    channel: string;
    text: string;
    ts?: string;
    blocks: { elements?: { action_id: string; value: string }[] }[];
  };
}

/** Slack's API as far as the bot uses it. */
const slackStandIn = async (): Promise<{ address: string; calls: SlackCall[] }> => {
  const calls: SlackCall[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', chunk => (text += String(chunk)));
    request.on('end', () => {
      const { authorization } = request.headers;
      calls.push({
        method: (request.url ?? '').slice(1),
        authorization,
        body: JSON.parse(text) as SlackCall['body'],
      });
      response.setHeader('Content-Type', 'application/json');
      response.end('{"ok": true, "ts": "1.5"}');
    });
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
};
