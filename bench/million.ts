/** A log of 1,000,000 events: how long a start takes and what it weighs. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Store } from '../src/store/store.ts';
import { ms, type Row } from './figures.ts';
import { writeReferenceLog } from './reference-log.ts';
import { openWorld, resident, spent } from './world.ts';

const events = 1_000_000;

/** Real hooks in the log, all of them folded again, as after an update that changes what is kept of a session. */
export const refoldRows = async (): Promise<Row[]> => {
  const world = openWorld();
  try {
    await writeReferenceLog(world, events);
    const daemon = await world.start();
    const cpu = spent(daemon.pid);
    await daemon.stop();
    return [
      {
        what: '1,000,000 real events folded again after an update: start to ready',
        target: '<= 20 s',
        seen: `${(daemon.ready / 1_000).toFixed(1)} s, ${cpu.toFixed(1)} s of CPU`,
        met: daemon.ready <= 20_000,
      },
      {
        what: 'until its port is open and says how far it has come',
        target: '<= 1 s',
        seen: ms(daemon.open),
        met: daemon.open <= 1_000,
      },
    ];
  } finally {
    world.close();
  }
};

export const millionRows = async (): Promise<Row[]> => {
  const world = openWorld();
  try {
    mkdirSync(world.home, { mode: 0o700 });
    const first = await world.start();
    await first.stop();
    await fill(join(world.home, 'drover.db'));
    await (await world.start()).stop();
    const daemon = await world.start();
    const memory = resident(daemon.pid);
    await daemon.stop();
    return [
      {
        what: '1,000,000 events stored: start to ready',
        target: '<= 1 s',
        seen: ms(daemon.ready),
        met: daemon.ready <= 1_000,
      },
      {
        what: '1,000,000 events stored: resident memory',
        target: '<= 150 MB',
        seen: `${memory.toFixed(0)} MB`,
        met: memory <= 150,
      },
    ];
  } finally {
    world.close();
  }
};

export const fill = async (file: string): Promise<void> => {
  const store = await Store.open(file);
  const pad = 'x'.repeat(500);
  const now = Date.now();
  for (let n = 0; n < events; ) {
    store.write(() => {
      let bytes = 0;
      for (let step = 0; step < 10_000; step++, n++) {
        const sessionId = `5eed${String(n % 1_000).padStart(4, '0')}`;
        const raw = Buffer.from(
          JSON.stringify({ session_id: sessionId, hook_event_name: 'PostToolUse', n, pad }),
        );
        bytes += raw.length;
        store.log.append({ at: now, source: 'hook', name: 'PostToolUse', sessionId, context: {}, raw }, now);
      }
      store.log.tally(10_000, bytes);
    });
  }
  store.close();
};
