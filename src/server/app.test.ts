/** The server while it closes. */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { createApp } from './app.ts';
import type { Handlers } from './call.ts';
import { createDispatch } from './dispatch.ts';

test('a request to a closing server is answered, and its connection is closed', async () => {
  let open = () => {};
  const opened = new Promise<void>(resolve => {
    open = resolve;
  });
  const handlers = { health: () => opened.then(() => ({ ok: true })) } as unknown as Handlers;
  const inside = { isAllowed: false, isAgentOf: () => false, isSame: () => false, hasStarted: () => false };
  const { local, serve } = createApp({
    onError: () => {},
    clock: systemClock,
    progress: () => 0,
    onStop: () => {},
  });
  serve(createDispatch(handlers, inside, { record: () => Promise.resolve(), now: () => 0 }), {
    tokenOf: () => null,
    acceptPage: () => null,
    port: () => 0,
  });
  local.listen(0, '127.0.0.1');
  await once(local, 'listening');
  const { port } = local.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (): Promise<string | undefined> => {
    const request = get({ agent, port, host: '127.0.0.1', path: '/healthz' });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response.headers.connection;
  };
  const [first, second] = [ask(), ask()];
  await once(local, 'request');
  const closed = new Promise(resolve => local.close(resolve));
  open();
  expect(await first).toBe('keep-alive');
  expect(await second).toBe('close');
  await closed;
});
