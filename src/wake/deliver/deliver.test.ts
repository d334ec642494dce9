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
import type { WakeParcel } from '../../contract/wake.ts';
import { anAgent } from '../../testing/wake.ts';
import { deliver, deliveredBefore, type Ways } from './deliver.ts';
import { keptEnd, removeKept, runKept } from './kept-process.ts';

const parcel: WakeParcel = { format: 2, id: 'p-1', agent_id: 'warden', digest: false, test: true, wakes: [] };

const opened = () => {
  const root = mkdtempSync(join(tmpdir(), 'du-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const dir = join(root, 'wakes');
  const ways: Ways = {
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
  return { root, dir, ways, program, read: (name: string) => readFileSync(join(root, name), 'utf8') };
};

test('openclaw gets session and message as arguments, and may answer', async () => {
  const { root, dir, ways, program, read } = opened();
  program(
    'openclaw',
    `printf '%s|' "$@" > '${root}/args'; cat > '${root}/in'; echo "$CLAUDECODE$DROVER_WAKE_AGENT"`,
  );
  const said = await deliver(anAgent({ openclaw_session_id: 'oc 1' }), parcel, ways);
  expect(said).toEqual({ error: null, answer: 'warden\n' });
  expect(read('args')).toMatch(
    /^agent\|--session-id\|oc 1\|--message\|\[SESSION IDENTITY\]\nagent_id: warden/,
  );
  expect(read('in')).toBe('');
  expect(readdirSync(dir)).toContain('p-1.end');
  removeKept(dir, 'p-1');
  expect(readdirSync(dir)).toEqual([]);
});

test('a command gets the message on standard input, as text or as JSON', async () => {
  const { root, ways, read } = opened();
  const command = ['sh', '-c', 'cat > "$0"', join(root, 'in')];
  await deliver(anAgent({ deliver: { command, format: 'text' } }), parcel, ways);
  expect(read('in')).toContain('type: test');
  await deliver(anAgent({ deliver: { command, format: 'json' } }), parcel, ways);
  expect(JSON.parse(read('in'))).toEqual(parcel);
});

test('what goes wrong is said', async () => {
  const { ways, program } = opened();
  const error = async (entry: Parameters<typeof anAgent>[0], ms?: number) =>
    (await deliver(anAgent(entry), parcel, ways, ms)).error;
  expect(await error({ openclaw_session_id: 'x' })).toMatch(/^openclaw ended with 127: .*not found/);
  program('openclaw', 'echo no >&2; exit 3');
  expect(await error({ openclaw_session_id: 'x' })).toBe('openclaw ended with 3: no');
  expect(await error({ deliver: { command: ['sh', '-c', 'sleep 30 & wait'], format: 'text' } }, 50)).toBe(
    'sh was ended, or took too long',
  );
  expect(await error({ deliver: { session: 'dddddd' } })).toBe('there is no session');
  expect(await error({})).toBe('the entry does not say where to deliver');
});

test('a daemon that comes after learns how a delivery ended, waits for one that runs, and knows one that never began', async () => {
  const { root, dir, ways } = opened();
  expect(await keptEnd(dir, 'never', 1_000)).toBe(null);
  expect(await deliveredBefore(undefined, 'sent', ways)).toEqual({ error: null, answer: '' });
  await runKept(dir, 'failed', ['sh', '-c', 'exit 4'], '', ways.env, 1_000);
  expect(await deliveredBefore(anAgent(), 'failed', ways)).toMatchObject({ error: 'warden ended with 4' });
  const gate = join(root, 'gate');
  const running = runKept(
    dir,
    'slow',
    ['sh', '-c', `until [ -e '${gate}' ]; do sleep 0.02; done; echo yes`],
    '',
    ways.env,
    9_000,
  );
  // The shell makes the file a moment before it writes its pid.
  while (!existsSync(join(dir, 'slow.pid')) || readFileSync(join(dir, 'slow.pid'), 'utf8') === '')
    await new Promise(done => setTimeout(done, 5));
  const learned = keptEnd(dir, 'slow', 9_000);
  writeFileSync(gate, '');
  expect(await learned).toMatchObject({ code: 0, out: 'yes\n' });
  await running;
});

test('a webhook is signed with a secret that only its owner can read', async () => {
  const { root, ways } = opened();
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
  expect((await deliver(agent, parcel, ways)).error).toBe(`${secret_file} is not there`);
  writeFileSync(secret_file, 'hush\n', { mode: 0o644 });
  expect((await deliver(agent, parcel, ways)).error).toBe(`others can read ${secret_file}: chmod 600`);
  chmodSync(secret_file, 0o600);
  expect((await deliver(agent, parcel, ways)).error).toBe(null);
  const [{ headers, body }] = got as [(typeof got)[number]];
  expect(JSON.parse(body)).toEqual(parcel);
  expect(headers['x-drover-timestamp']).toBe('1000');
  expect(headers['x-drover-signature']).toBe(
    `sha256=${createHmac('sha256', 'hush').update(`1000.${body}`).digest('hex')}`,
  );
  status = 500;
  expect((await deliver(agent, parcel, ways)).error).toBe('the answer was 500');
});
