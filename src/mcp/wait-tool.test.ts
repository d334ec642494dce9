import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Session } from '../contract/session.ts';
import { aRemoteSession } from '../testing/remote-session.ts';
import { aSession } from '../testing/session.ts';
import type { ToolDeps } from './tool.ts';
import { waitTool } from './wait-tool.ts';

/** Waits for a session that is listed like `before`, and streamed like `now`. */
const changed = async (before: Session, now: Session, timeout = 20) => {
  const frame = `event: state\ndata: ${JSON.stringify({ sessions: [now] })}\n\n`;
  const server = createServer((_, response) => response.writeHead(200).write(frame));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const port = String((server.address() as AddressInfo).port);
  const deps = {
    daemon: {
      where: () => ({ hostname: '127.0.0.1', port, headers: { Host: 'localhost' } }),
      call: () => Promise.resolve({ sessions: [before] }),
    },
    own: () => null,
    progress: () => {},
    signal: new AbortController().signal,
  } as unknown as ToolDeps;
  const input = { sessions: [before.id], timeout };
  return ((await waitTool.run(input as never, deps)) as { changed: object[] }).changed.length;
};

test('a turn that began and ended while nobody looked is a change', async () => {
  const before = aSession({ state: 'waiting', reason: 'stopped', since: 10_000 });
  expect(await changed(before, { ...before, touched: 30_000 }, 0.5)).toBe(0);
  expect(await changed(before, { ...before, since: 20_000 })).toBe(1);
});

test('a clock of another host that is known better is no change', async () => {
  const before = aRemoteSession({ state: 'waiting', reason: 'stopped', since: 10_000 });
  expect(await changed(before, { ...before, since: 9_996 }, 0.5)).toBe(0);
  expect(await changed(before, { ...before, since: 20_000 })).toBe(1);
});
