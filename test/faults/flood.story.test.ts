/** Hundreds of silent or slow connections: commands and programs with a token are still served. */
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { limits } from '../../src/limits.ts';
import { newest } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';

test('with a flooded port the Unix socket works, and programs with the token are served', async () => {
  const opened = await world({ version: newest });
  const hub = await hubOf(opened);
  const { hostname: host, port, host: name } = new URL(hub.url);
  const sockets = new Set<Socket>();
  const head = `POST /event HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding: chunked\r\n`;
  let isOver = false;
  let dialled = 0;
  let again: () => void = () => {};
  const isDialledAgain = new Promise<void>(resolve => (again = resolve));
  // Closed connections are opened again: at any time more than are kept, at most 3,000 in all.
  const dial = () => {
    if (isOver || dialled++ > 3_000) return;
    const socket = connect(Number(port), host);
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      setTimeout(() => {
        dial();
        again();
      }, 20);
    });
    if (dialled % 3 === 0) return;
    let at = 0;
    const drip = setInterval(() => void socket.write(head[at++] ?? 'x'), 50);
    socket.on('close', () => clearInterval(drip));
  };
  opened.closing(() => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
    return Promise.resolve();
  });
  const flood = limits.http.anonymousBurst + 200;
  for (let n = 0; n < flood; n++) dial();
  // The daemon has begun to close the oldest, and they come back.
  await isDialledAgain;
  const times: number[] = [];
  for (let n = 0; n < 8; n++) {
    const began = performance.now();
    expect((await opened.drover('ls')).code).toBe(0);
    times.push(performance.now() - began);
  }
  expect(Math.max(...times)).toBeLessThan(3_000);
  expect(await hub.ask('GET', '/sessions')).toMatchObject({ status: 200 });
  isOver = true;
  for (const socket of sockets) socket.destroy();
  expect(await hub.stop()).toBe(0);
});
