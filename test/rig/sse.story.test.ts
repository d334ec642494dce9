import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { subscribe } from './sse.ts';

test('a subscriber reads frames in order and skips unwanted ones', async () => {
  const { url, stream } = await serve();
  const reader = await subscribe(url, 'secret', { lastEventId: '7' });
  const { headers, response } = await stream;
  expect(headers).toMatchObject({ authorization: 'Bearer secret', 'last-event-id': '7' });
  response.write(': hello\n\nid: 8\nevent: hook\ndata: {"a":\ndata: 1}\n\ndata: plain\n\n');
  expect(await reader.next()).toEqual({ id: '8', event: 'hook', data: '{"a":\n1}' });
  const state = reader.next(frame => frame.event === 'state');
  response.write('id: 9\nevent: state\nda');
  response.end('ta: {}\n\n');
  expect(await state).toEqual({ id: '9', event: 'state', data: '{}' });
  await reader.ended;
  expect(reader.frames.map(frame => frame.event)).toEqual(['hook', 'message', 'state']);
  expect(reader.comments).toEqual(['hello']);
  await expect(reader.next(() => true, 50)).rejects.toThrow('no such frame in 50 ms; seen: hook 8');
});

test('a stalled subscriber continues later, and one that is cut off ends', async () => {
  const { url, stream } = await serve();
  const reader = await subscribe(url, 'secret', { path: '/sessions/x/events', after: 3 });
  const { path, response } = await stream;
  expect(path).toBe('/sessions/x/events?after=3');
  reader.stall();
  response.write('data: late\n\n');
  await expect(reader.next(() => true, 100)).rejects.toThrow('no such frame');
  reader.flow();
  expect(await reader.next()).toMatchObject({ data: 'late' });
  response.destroy();
  await reader.ended;
});

interface Stream {
  path: string | undefined;
  headers: IncomingHttpHeaders;
  response: ServerResponse;
}

async function serve(): Promise<{ url: string; stream: Promise<Stream> }> {
  const server = createServer();
  const stream = new Promise<Stream>(resolve => {
    server.once('request', ({ url, headers }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      resolve({ path: url, headers, response });
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stream };
}
