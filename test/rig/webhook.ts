/** An agent behind HTTP. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { WakeMessage, WakeBundle } from '../../src/contract/wake.ts';

export interface Webhook {
  url: string;
  /** Every wake that it got. */
  wakes: WakeMessage[];
}

/** Starts it for the rest of the test. `decide` returns its answer to a wake. */
export async function webhook(decide: (wake: WakeMessage) => object): Promise<Webhook> {
  const received: WakeMessage[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => {
      body += String(chunk);
    });
    request.on('end', () => {
      const { wakes } = JSON.parse(body) as WakeBundle;
      received.push(...wakes);
      response.end(JSON.stringify(wakes[0] ? decide(wakes[0]) : {}));
    });
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/wake`, wakes: received };
}
