import { expect, test } from 'vitest';
import type { Context, Draft } from '../../contract/event.ts';
import { openTestPane, targetIn } from '../../testing/pane.ts';
import { HostServer } from './host-server.ts';

const draft = (context: Context): Draft => ({
  at: 1,
  source: 'hook',
  name: 'Stop',
  sessionId: 'a',
  context,
  raw: new Uint8Array(),
});

/** A server that is known to run in another pid namespace. */
class ForeignServer extends HostServer {
  override isKnownForeign(socket: string, serverPid: number): boolean {
    return socket === '/host/default' && serverPid === 40;
  }
}

test('a server in our own pid namespace is not foreign, and neither is one that is not configured', async () => {
  const { socket, pane } = await openTestPane(() => 'cat\n');
  const { serverPid } = await targetIn({ socket, pane });
  const server = new HostServer(socket);
  expect(await server.isForeign(socket)).toBe(false);
  expect(server.isKnownForeign(socket, serverPid as number)).toBe(false);
  expect(await new HostServer(null).isForeign(socket)).toBe(false);
  expect(await server.isForeign(`${socket}-other`)).toBe(false);
});

test('an event of a pane on the host keeps the pane and loses the process', () => {
  const context = {
    host: 'box',
    ns: '7',
    pid: 99,
    configDir: '/c',
    socket: '/host/default',
    serverPid: 40,
    pane: '%3',
  };
  expect(new ForeignServer('/host/default').adopt(draft(context)).context).toEqual({
    socket: '/host/default',
    serverPid: 40,
    pane: '%3',
    foreignPids: true,
  });
});

test.each<[string, Context]>([
  ['an event of this machine', { pid: 99, socket: '/host/default', serverPid: 40, pane: '%3' }],
  [
    'another server on the same path',
    { host: 'box', pid: 99, socket: '/host/default', serverPid: 41, pane: '%3' },
  ],
  ['another socket', { host: 'box', pid: 99, socket: '/other/default', serverPid: 40, pane: '%3' }],
  ['no pane', { host: 'box', pid: 99 }],
])('%s is left as it is', (_, context) => {
  const given = draft(context);
  expect(new ForeignServer('/host/default').adopt(given)).toBe(given);
});
