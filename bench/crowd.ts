/** 1,000 readers, one of which never reads. */
import type { Row } from './figures.ts';
import { readers } from './reader.ts';
import { get, openWorld, resident } from './world.ts';
import { request } from 'node:http';

const count = 1_000;
const events = 300;
const bytes = 60_000;

export const crowdRows = async (): Promise<Row[]> => {
  const world = openWorld();
  const daemon = await world.start();
  try {
    const before = resident(daemon.pid);
    const group = await readers(daemon, count, () => {}, new Set([0]));
    let most = 0;
    for (let n = 0; n < events; n++) {
      await post(daemon.url, daemon.token, n);
      await group.have((n + 1) * (count - 1));
      most = Math.max(most, resident(daemon.pid));
    }
    const missed = group.counts.slice(1).filter(seen => seen !== events).length;
    const metrics = await get(`${daemon.url}/metrics`, daemon.token);
    const cut = Number(/drover_streams_cut_total (\d+)/.exec(metrics)?.[1]);
    group.close();
    return [
      {
        what: `${count} SSE readers, one of them stalled, ${events} events of ${bytes / 1000} KB`,
        target: 'the stalled one is cut off, the others miss nothing, memory bounded',
        seen: `${cut} cut off, ${missed} others missed something, memory ${before.toFixed(0)} -> ${most.toFixed(0)} MB at most`,
        met: cut === 1 && missed === 0 && most < 400,
      },
    ];
  } finally {
    await daemon.stop();
    world.close();
  }
};

const post = (url: string, token: string, n: number): Promise<void> =>
  new Promise((resolve, reject) => {
    request(`${url}/event`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } }, response => {
      response.resume().on('end', resolve);
    })
      .on('error', reject)
      .end(
        JSON.stringify({ session_id: '5eed0001', hook_event_name: 'PostToolUse', n, pad: 'x'.repeat(bytes) }),
      );
  });
