import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { pathsFrom } from '../../paths.ts';
import { ntfyChecks } from './ntfy-check.ts';

test('a topic that anyone can read is a failure where its messages can answer', async () => {
  vi.stubEnv('DROVER_TEST_PUSH', '1');
  const home = mkdtempSync(join(tmpdir(), 'dn-'));
  let status = 403;
  const asked: [string | undefined, string | undefined][] = [];
  const server = createServer(({ url, headers }, response) => {
    asked.push([url, headers.authorization]);
    response.writeHead(status).end('{}');
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const paths = pathsFrom({ DROVER_HOME: home, HOME: home });
  const check = async (actions: boolean) => {
    const ntfy = { server: url, topic: 'alerts', token: 'tk_1', actions };
    writeFileSync(paths.config, JSON.stringify({ notify: { page: url, ntfy } }));
    return (await ntfyChecks({ paths })).map(({ ok }) => ok);
  };
  expect(await check(true)).toEqual([true]);
  expect(asked).toEqual([['/alerts/json?poll=1&since=none', undefined]]);
  status = 200;
  expect(await check(true)).toEqual([false]);
  status = 500;
  expect(await check(true)).toEqual([null]);
  expect(await check(false)).toEqual([]);
  expect(asked).toHaveLength(3);
});
