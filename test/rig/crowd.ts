/** Many minimal readers of server-sent events: they count hook frames and keep nothing. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import { within } from './within.ts';

interface Crowd {
  /** How many streams have ended. */
  gone: () => number;
  /** Waits until each of them has exactly this many hook frames. */
  have: (wanted: number) => Promise<true>;
}

/** Opens this many streams over all sessions; they end with the test. */
export async function crowdOf(count: number, url: string, token: string): Promise<Crowd> {
  const counts = Array.from({ length: count }, () => 0);
  let gone = 0;
  let look = () => {};
  const mark = 'event: hook\n';
  const open = async (reader: number) => {
    const request = get(`${url}/events`, { agent: false, headers: { authorization: `Bearer ${token}` } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    onTestFinished(() => void response.destroy());
    response.on('error', () => {}).once('close', () => gone++);
    let tail = '';
    response.setEncoding('latin1').on('data', (chunk: string) => {
      const text = tail + chunk;
      let at = -1;
      while ((at = text.indexOf(mark, at + 1)) !== -1) counts[reader] = (counts[reader] ?? 0) + 1;
      tail = text.slice(1 - mark.length);
      look();
    });
  };
  await Promise.all(counts.map((_, reader) => open(reader)));
  return {
    gone: () => gone,
    have: wanted =>
      within<true>(
        30_000,
        () => `${counts.filter(seen => seen !== wanted).length} readers have not ${wanted} events`,
        found => {
          look = () => found(counts.every(seen => seen === wanted) || undefined);
          look();
          return () => (look = () => {});
        },
      ),
  };
}
