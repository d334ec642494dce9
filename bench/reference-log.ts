/**
 * A log of any size made from the reference corpus: the hooks of real sessions, which the built daemon has read from its spool, with the
 * events that it added. They are repeated under other session ids, each session some rounds.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Event } from '../src/contract/event.ts';
import { Store } from '../src/store/store.ts';
import { readCorpus } from '../test/reference/corpus.ts';
import type { World } from './world.ts';

/** How often the events of one session are repeated: a thousand events are a long day. */
const rounds = 25;
const batch = 10_000;

/** Writes a log of `count` events into the home of a world that has had no daemon. */
export const writeReferenceLog = async (world: World, count: number): Promise<void> => {
  const pattern = await eventsOfCorpus(world);
  const store = await Store.open(join(world.home, 'drover.db'));
  const ids = [...new Set(pattern.flatMap(({ sessionId }) => sessionId ?? []))];
  const now = Date.now();
  const began = Math.max(...pattern.map(({ at }) => at)) - 1;
  const texts = pattern.map(event => ({ event, text: Buffer.from(event.raw).toString('latin1') }));
  let written = 0;
  const append = function* (): Generator<number> {
    for (let copy = 0; ; copy++) {
      const named = new Map(ids.map(id => [id, idOf(id, copy)]));
      for (let round = 0; round < rounds; round++)
        for (const { event, text } of texts) {
          const sessionId = event.sessionId && (named.get(event.sessionId) ?? null);
          const raw = Buffer.from(
            event.sessionId ? text.replaceAll(event.sessionId, sessionId ?? '') : text,
            'latin1',
          );
          // Evenly over the last day, each round after the one before.
          const at = now - Math.round((1 - written / count) * 86_400_000) - Math.max(0, began - event.at);
          store.log.append({ ...event, at, sessionId, raw }, at);
          written++;
          yield raw.length;
          if (written >= count) return;
        }
    }
  };
  const events = append();
  for (let over = false; !over; )
    store.write(() => {
      let bytes = 0;
      let n = 0;
      for (; n < batch; n++) {
        const { done, value } = events.next();
        if (done) {
          over = true;
          break;
        }
        bytes += value;
      }
      store.log.tally(n, bytes);
    });
  store.close();
};

/** What the daemon makes of the corpus: the events in its log. */
const eventsOfCorpus = async (world: World): Promise<Event[]> => {
  const spool = join(world.home, 'spool');
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  const { files } = readCorpus('2.1.325');
  for (const [n, { content }] of files.entries())
    writeFileSync(join(spool, `${n + 1}.reference`), filled(content), { mode: 0o600 });
  const daemon = await world.start();
  while (readdirSync(spool).length > 0) await new Promise(done => setTimeout(done, 50));
  await daemon.stop();
  const store = await Store.open(join(world.home, 'drover.db'));
  const events = store.log.read({ after: 0, rows: 10_000 });
  store.erase(() => store.log.removeAll());
  store.close();
  return events;
};

/** Nothing that it names exists on this machine. */
const filled = (content: string): string =>
  content
    .replaceAll('{{HOST}}', hostname())
    .replace(/\{\{(?:PID|SERVER_PID):?(\d*)\}\}/g, (_, n: string) => String(1_000_000_000 + Number(n)))
    .replace(/\{\{PANE:(\d+)\}\}/g, '%$1')
    .replaceAll('{{SOCKET}}', '/srv/reference/tmux')
    .replaceAll('{{ROOT}}', '/srv/reference')
    .replace(/\{\{[A-Z_]+(?::\d+)?\}\}/g, '');

/** Another id of the same form. */
const idOf = (id: string, copy: number): string => `${copy.toString(16).padStart(8, '0')}${id.slice(8)}`;
