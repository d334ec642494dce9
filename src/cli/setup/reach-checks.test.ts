import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createPlain, request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { selfSigned } from '../../fleet/broker/certificate.ts';
import { openPipeline } from '../../testing/pipeline.ts';
import { openTestServer, token } from '../../testing/server.ts';
import { reachChecks } from './reach-checks.ts';

const { key, cert } = selfSigned(['localhost'], 1);

const listening = async (server: Server | ReturnType<typeof createPlain>): Promise<number> => {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

/** The daemon behind a proxy with TLS. `change` is what the proxy does to the headers of a request. */
const behindProxy = async (
  options: {
    isAllowed?: boolean;
    ingest?: 'open' | 'token';
    change?: (headers: Record<string, unknown>) => void;
  } = {},
) => {
  const { isAllowed = true, ingest = 'token', change = () => {} } = options;
  let target = 0;
  const proxy = createServer({ key, cert }, (incoming, outgoing) => {
    const headers = { ...incoming.headers };
    change(headers);
    const { method, url: path } = incoming;
    const passed = request({ host: '127.0.0.1', port: target, method, path, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  const port = await listening(proxy);
  const pipeline = await openPipeline();
  const { core, paths } = pipeline;
  mkdirSync(join(paths.home, 'web'));
  writeFileSync(join(paths.home, 'web', 'index.html'), '<!doctype html>');
  const allowHosts = isAllowed ? [`localhost:${port}`] : [];
  const server = await openTestServer({
    ...pipeline,
    core: { ...core, config: { ...core.config, allowHosts, ingest } },
  });
  target = server.port;
  const check = async (at = `https://localhost:${port}`, ca: string | undefined = cert) => {
    const found = await reachChecks(at, { daemonPort: server.port, ...(ca !== undefined && { ca }) });
    return Object.fromEntries(found.map(({ name, ok, says }) => [name, `${ok}: ${says}`]));
  };
  return { port, check, server };
};

test('a page that is reached through a proxy as it should passes every check', async () => {
  const { check, server } = await behindProxy();
  const before = server.events().length;
  const found = await check();
  expect(found).toEqual({
    https: 'true: a phone accepts this address',
    reachable: expect.stringContaining('answers') as string,
    certificate: expect.stringMatching(/^true: valid until .*, issued by localhost$/) as string,
    host: expect.stringMatching(/^true: Drover .* accepts the Host localhost:\d+$/) as string,
    page: 'true: loads, with its security headers',
    pairing: 'true: a device can pair, and needs `drover open --qr` for it',
    'other sites': 'true: are refused',
    'signed out': expect.stringMatching(/^true: [4-9]\d routes refuse a caller without a key$/) as string,
    events: 'true: need a token',
    'without TLS': 'null: not checked for this address',
  });
  expect(server.events()).toHaveLength(before);
});

test('a certificate that nobody trusts, a Host that is not allowed and a wrong name are findings', async () => {
  const { check, port } = await behindProxy({ isAllowed: false });
  expect(await check(undefined, '')).toMatchObject({
    certificate: 'false: DEPTH_ZERO_SELF_SIGNED_CERT',
    host: `false: Drover answers, but does not accept the Host localhost:${port}`,
  });
  expect(await check(`http://127.0.0.1:${port}`)).toMatchObject({
    https: expect.stringMatching(/^null: /) as string,
  });
  await expect(check('localhost')).rejects.toThrow('is not a valid address');
  await expect(check('https://localhost/page')).rejects.toThrow('is not a valid address');
});

test('something else at the address, and nothing at all, are distinguished', async () => {
  const other = await listening(createPlain((_, response) => response.writeHead(502).end('no backend')));
  const found = await reachChecks(`http://127.0.0.1:${other}`, { daemonPort: null });
  expect(found.at(-1)).toMatchObject({
    name: 'drover',
    ok: false,
    says: expect.stringContaining('502') as string,
  });
  const closed = createPlain();
  const port = await listening(closed);
  await new Promise(done => closed.close(done));
  expect((await reachChecks(`http://127.0.0.1:${port}`, { daemonPort: null })).at(-1)).toMatchObject({
    name: 'reachable',
    ok: false,
  });
  expect(await reachChecks('http://drover.invalid', { daemonPort: null })).toMatchObject([
    { name: 'https', ok: false },
    { name: 'reachable', ok: false },
  ]);
});

test('a proxy that lets everybody in is found', async () => {
  const { check } = await behindProxy({
    change: headers => {
      headers.authorization = `Bearer ${token}`;
    },
  });
  const found = await check();
  expect(found['signed out']).toMatch(
    /^false: open without a key: GET \/events \(HTTP status 200\), .* and \d+ more$/,
  );
  expect(found.events).toBe('false: anyone who reaches it can post events: HTTP status 200');
});

test('a proxy that changes Host or Origin is found', async () => {
  let port = 0;
  const { check, server } = await behindProxy({
    change: headers => {
      headers.host = `127.0.0.1:${port}`;
      headers.origin = undefined;
      delete headers.origin;
    },
  });
  port = server.port;
  expect(await check()).toMatchObject({ 'other sites': 'false: are not refused: HTTP status 200' });
});

test('open ingest is found where nothing shows the daemon that events came through a tunnel', async () => {
  const { server } = await behindProxy({ ingest: 'open' });
  const found = await reachChecks(`http://127.0.0.1:${server.port}`, { daemonPort: server.port });
  expect(found.find(({ name }) => name === 'events')).toMatchObject({ ok: false });
});
