/** Events over HTTP, one a request, answered after the commit. The load comes from a separate process. */
import { spawn } from 'node:child_process';
import type { Row } from './figures.ts';
import { get, openWorld } from './world.ts';

const connections = 64;
const events = 40_000;

export const ingestRows = async (): Promise<Row[]> => {
  const world = openWorld();
  const daemon = await world.start();
  try {
    const seconds = await load(daemon.url, daemon.token);
    const { events: counted } = JSON.parse(await get(`${daemon.url}/status`, daemon.token)) as {
      events: { kept: number };
    };
    const rate = events / seconds;
    return [
      {
        what: `HTTP ingest, 1.2 KB payloads, one event a request, ${connections} connections, answered after commit`,
        target: '>= 5,000 events/s',
        seen: `${Math.round(rate).toLocaleString('en')} events/s (${counted.kept} kept of ${events})`,
        met: rate >= 5_000 && counted.kept === events,
      },
    ];
  } finally {
    await daemon.stop();
    world.close();
  }
};

// Written for `node -e`: raw sockets, so that the load generator takes as little of the second core as it can.
const generator = `
  const [url, token, connections, events] = process.argv.slice(1);
  const { hostname, port } = new URL(url);
  const net = require('node:net');
  let sent = 0, answered = 0;
  const began = process.hrtime.bigint();
  const body = n => JSON.stringify({ session_id: '5eed000' + (n % 20), hook_event_name: 'PostToolUse', n, pad: 'x'.repeat(1120) });
  const next = socket => {
    if (sent >= events) return;
    const text = body(sent++);
    socket.write('POST /event HTTP/1.1\\r\\nHost: 127.0.0.1:' + port + '\\r\\nAuthorization: Bearer ' + token +
      '\\r\\nContent-Type: application/json\\r\\nContent-Length: ' + text.length + '\\r\\n\\r\\n' + text);
  };
  for (let c = 0; c < connections; c++) {
    const socket = net.connect(port, hostname, () => next(socket));
    socket.setNoDelay(true);
    socket.on('data', data => {
      if (!data.includes('200 OK')) { console.error(String(data)); process.exit(1); }
      if (++answered === Number(events)) {
        console.log(Number(process.hrtime.bigint() - began) / 1e9);
        process.exit(0);
      }
      next(socket);
    });
  }
  setTimeout(() => process.exit(2), 120000);
`;

const load = (url: string, token: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['-e', generator, url, token, String(connections), String(events)],
      {
        env: { PATH: process.env.PATH ?? '' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let out = '';
    child.stdout.on('data', chunk => {
      out += String(chunk);
    });
    child.on('close', code =>
      code === 0 ? resolve(Number(out)) : reject(new Error(`the load ended with ${code}`)),
    );
  });
