/** Many minimal SSE readers in one process. */
import { type ClientRequest, request } from 'node:http';
import type { Daemon } from './world.ts';

export interface Readers {
  /** Resolves when this many hook frames have arrived in all. */
  have: (frames: number) => Promise<void>;
  /** Hook frames per reader. */
  counts: number[];
  /** Readers whose stream was ended by the daemon. */
  ended: Set<number>;
  close: () => void;
}

/** Opens `count` streams over all sessions; those in `stalled` never read. */
export const readers = async (
  daemon: Daemon,
  count: number,
  onHook: (data: string, reader: number) => void = () => {},
  stalled = new Set<number>(),
): Promise<Readers> => {
  const requests: ClientRequest[] = [];
  const counts = Array.from({ length: count }, () => 0);
  const ended = new Set<number>();
  let total = 0;
  let waiter: { frames: number; done: () => void } | null = null;
  const took = () => {
    if (waiter && total >= waiter.frames) waiter.done();
  };
  await Promise.all(
    counts.map(
      (_, reader) =>
        new Promise<void>((opened, failed) => {
          const outgoing = request(`${daemon.url}/events`, {
            agent: false,
            headers: { Authorization: `Bearer ${daemon.token}` },
          });
          requests.push(outgoing);
          outgoing.on('error', failed);
          outgoing.on('response', response => {
            response.on('close', () => ended.add(reader));
            response.on('error', () => ended.add(reader));
            if (stalled.has(reader)) {
              response.pause();
              opened();
              return;
            }
            let rest = '';
            response.setEncoding('utf8');
            response.on('data', (chunk: string) => {
              rest += chunk;
              const frames = rest.split('\n\n');
              rest = frames.pop() ?? '';
              for (const frame of frames) {
                if (frame.includes('event: state')) opened();
                const data = /event: hook\ndata: (.*)/.exec(frame)?.[1];
                if (data === undefined) continue;
                counts[reader] = (counts[reader] ?? 0) + 1;
                total++;
                onHook(data, reader);
              }
              took();
            });
          });
          outgoing.end();
        }),
    ),
  );
  return {
    counts,
    ended,
    have: frames =>
      new Promise((done, failed) => {
        const limit = setTimeout(() => failed(new Error(`only ${total} of ${frames} frames came`)), 60_000);
        waiter = {
          frames,
          done: () => {
            clearTimeout(limit);
            done();
          },
        };
        took();
      }),
    close: () => {
      for (const outgoing of requests) outgoing.destroy();
    },
  };
};
