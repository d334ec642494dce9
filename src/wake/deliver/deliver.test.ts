import { createHmac } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WakeBundle } from '../../contract/wake.ts';
import { anAgent } from '../../testing/wake.ts';
import { deliver, earlierResult, type DeliveryDeps } from './deliver.ts';
import { awaitDetached, removeDetachedFiles, runDetached } from './detached-process.ts';

const bundle: WakeBundle = { format: 2, id: 'p-1', agent_id: 'warden', digest: false, test: true, wakes: [] };

const opened = () => {
  const root = mkdtempSync(join(tmpdir(), 'du-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const dir = join(root, 'wakes');
  const deps: DeliveryDeps = {
    dir,
    env: { PATH: `${root}:${process.env.PATH}`, CLAUDECODE: '1' },
    now: () => 1_000_000,
    send: () => Promise.reject(new Error('there is no session')),
    wasSent: key => key === 'sent',
  };
  const program = (name: string, body: string) => {
    writeFileSync(join(root, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(root, name), 0o755);
  };
  return { root, dir, deps, program, read: (name: string) => readFileSync(join(root, name), 'utf8') };
};

test('openclaw gets session and message as arguments, and may answer', async () => {
  const { root, dir, deps, program, read } = opened();
  program(
    'openclaw',
    `printf '%s|' "$@" > '${root}/args'; cat > '${root}/in'; echo "$CLAUDECODE$DROVER_WAKE_AGENT"`,
  );
  const result = await deliver(anAgent({ openclaw_session_id: 'oc 1' }), bundle, deps);
  expect(result).toEqual({ error: null, answer: 'warden\n' });
  expect(read('args')).toMatch(
    /^agent\|--session-id\|oc 1\|--message\|\[SESSION IDENTITY\]\nagent_id: warden/,
  );
  expect(read('in')).toBe('');
  expect(readdirSync(dir)).toContain('p-1.end');
  removeDetachedFiles(dir, 'p-1');
  expect(readdirSync(dir)).toEqual([]);
});

test('a command gets the message on standard input, as text or as JSON', async () => {
  const { root, deps, read } = opened();
  const command = ['sh', '-c', 'cat > "$0"', join(root, 'in')];
  await deliver(anAgent({ deliver: { command, format: 'text' } }), bundle, deps);
  expect(read('in')).toContain('type: test');
  await deliver(anAgent({ deliver: { command, format: 'json' } }), bundle, deps);
  expect(JSON.parse(read('in'))).toEqual(bundle);
});

test('reports what went wrong', async () => {
  const { deps, program } = opened();
  const error = async (entry: Parameters<typeof anAgent>[0], ms?: number) =>
    (await deliver(anAgent(entry), bundle, deps, ms)).error;
  expect(await error({ openclaw_session_id: 'x' })).toMatch(/^openclaw exited with 127: .*not found/);
  program('openclaw', 'echo no >&2; exit 3');
  expect(await error({ openclaw_session_id: 'x' })).toBe('openclaw exited with 3: no');
  expect(await error({ deliver: { command: ['sh', '-c', 'sleep 30 & wait'], format: 'text' } }, 50)).toBe(
    'sh was killed or timed out',
  );
  expect(await error({ deliver: { session: 'dddddd' } })).toBe('there is no session');
  expect(await error({})).toBe('the entry does not say where to deliver');
});

test('a later daemon reads the result of a delivery, waits for a running one, and detects one that never started', async () => {
  const { root, dir, deps } = opened();
  expect(await awaitDetached(dir, 'never', 1_000)).toBe(null);
  expect(await earlierResult(undefined, 'sent', deps)).toEqual({ error: null, answer: '' });
  await runDetached(dir, 'failed', ['sh', '-c', 'exit 4'], '', deps.env, 1_000);
  expect(await earlierResult(anAgent(), 'failed', deps)).toMatchObject({ error: 'warden exited with 4' });
  const gate = join(root, 'gate');
  const running = runDetached(
    dir,
    'slow',
    ['sh', '-c', `until [ -e '${gate}' ]; do sleep 0.02; done; echo yes`],
    '',
    deps.env,
    9_000,
  );
  // The shell makes the file a moment before it writes its pid.
  while (!existsSync(join(dir, 'slow.pid')) || readFileSync(join(dir, 'slow.pid'), 'utf8') === '')
    await new Promise(done => setTimeout(done, 5));
  const learned = awaitDetached(dir, 'slow', 9_000);
  writeFileSync(gate, '');
  expect(await learned).toMatchObject({ code: 0, out: 'yes\n' });
  await running;
});

test('a webhook is signed with a secret that only its owner can read', async () => {
  const { root, deps } = opened();
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  let status = 204;
  const http = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => {
      body += String(chunk);
    });
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => void http.close());
  const webhook = `http://127.0.0.1:${(http.address() as AddressInfo).port}/wake`;
  const secret_file = join(root, 'secret');
  const agent = anAgent({ deliver: { webhook, secret_file } });
  expect((await deliver(agent, bundle, deps)).error).toBe(`${secret_file} does not exist`);
  writeFileSync(secret_file, 'hush\n', { mode: 0o644 });
  expect((await deliver(agent, bundle, deps)).error).toBe(`others can read ${secret_file}; run chmod 600`);
  chmodSync(secret_file, 0o600);
  expect((await deliver(agent, bundle, deps)).error).toBe(null);
  const [{ headers, body }] = got as [(typeof got)[number]];
  expect(JSON.parse(body)).toEqual(bundle);
  expect(headers['x-drover-timestamp']).toBe('1000');
  expect(headers['x-drover-signature']).toBe(
    `sha256=${createHmac('sha256', 'hush').update(`1000.${body}`).digest('hex')}`,
  );
  status = 500;
  expect((await deliver(agent, bundle, deps)).error).toBe('HTTP status 500');
});
