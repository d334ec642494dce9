/** The events of a host, as its log has them and as another host reads them. */
import { onTestFinished } from 'vitest';
import type { LogPage } from '../../src/contract/api.ts';
import type { Member } from './fleet-members.ts';
import { subscribe } from './sse.ts';
import { until } from './within.ts';

interface Outlines {
  hostName: string;
  events: { seq: number }[];
}

/** Collects the outlines that a member reads of another host. */
export const outlinesOf = async (reader: Member, host: string) => {
  const stream = await subscribe(reader.hub.url, reader.hub.token, { path: '/fleet/events' });
  onTestFinished(() => stream.close());
  return () =>
    stream.frames
      .filter(({ event }) => event === 'outlines')
      .map(({ data }) => JSON.parse(data) as Outlines)
      .filter(({ hostName }) => hostName === host)
      .flatMap(({ events }) => events.map(({ seq }) => seq));
};

/** Every sequence number in the log of a member. */
const logOf = async ({ hub }: Member): Promise<number[]> => {
  const seqs: number[] = [];
  for (let after = 0; ; ) {
    const { body } = await hub.ask<LogPage>('GET', `/log?after=${after}`);
    seqs.push(...body.events.map(({ seq }) => seq));
    if (body.next === null) return seqs;
    after = body.next;
  }
};

/** Awaits that the reader has had each event of the host's log, once and in order. */
export const awaitAllOutlines = async (read: () => number[], host: Member): Promise<void> => {
  let last = '';
  await until(
    15_000,
    () => last,
    async () => {
      const [wanted, seen] = [await logOf(host), read()];
      last = `of ${wanted.length} events ${seen.length} were read`;
      return JSON.stringify(seen) === JSON.stringify(wanted) || undefined;
    },
  );
};
