/** The fold alone, a rebuild from the log, and the cost of 50 idle sessions. */
import { join } from 'node:path';
import type { Event } from '../src/contract/event.ts';
import { parseObject } from '../src/hook/payload.ts';
import { Loop } from '../src/live/loop.ts';
import { SessionIndex } from '../src/live/session-index.ts';
import { fold } from '../src/session/fold.ts';
import { Store } from '../src/store/store.ts';
import { openWorld as openRig } from '../test/rig/world.ts';
import { ms, type Row } from './figures.ts';
import { fill } from './million.ts';
import { openWorld, spent } from './world.ts';

export const truthRows = async (): Promise<Row[]> => [foldSpeed(), await rebuild(), await idleCost()];

const names = [
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolBatch',
  'Stop',
];

const foldSpeed = (): Row => {
  const count = 400_000;
  const sessions = 200;
  const payloads = names.map(name =>
    parseObject(
      Buffer.from(
        JSON.stringify({
          session_id: 's',
          hook_event_name: name,
          tool_name: 'Bash',
          tool_input: { command: 'npm test' },
          cwd: '/w/app',
          last_assistant_message: 'done',
        }),
      ),
    ),
  );
  const sessionIndex = new SessionIndex([]);
  const raw = Buffer.alloc(0);
  const began = performance.now();
  const overlay = sessionIndex.overlay();
  for (let n = 0; n < count; n++) {
    // Each session goes through the whole list again and again.
    const step = Math.floor(n / sessions) % names.length;
    const event: Event = {
      seq: n + 1,
      at: n * 10,
      seen: n * 10,
      source: 'hook',
      name: names[step] as string,
      sessionId: `s${n % sessions}`,
      context: { pid: 1000 + (n % sessions) },
      raw,
    };
    for (const session of fold(overlay, event, payloads[step] ?? null)) overlay.put(session);
  }
  const rate = count / ((performance.now() - began) / 1000);
  return {
    what: `fold, events a second (${sessions} sessions)`,
    target: '>= 200,000',
    seen: Math.round(rate).toLocaleString('en'),
    met: rate >= 200_000,
  };
};

const rebuild = async (): Promise<Row> => {
  const world = openWorld();
  try {
    const first = await world.start();
    await first.stop();
    const file = join(world.home, 'drover.db');
    await fill(file);
    const store = await Store.open(file);
    store.write(() => store.sessions.save([], 0));
    const began = performance.now();
    const { sessionIndex } = new Loop(store, { now: Date.now }, () => {});
    const took = performance.now() - began;
    store.close();
    return {
      what: `a rebuild from 1,000,000 events (${sessionIndex.all().length} sessions)`,
      target: '<= 10 s, not needed at start',
      seen: ms(took),
      met: took <= 10_000,
    };
  } finally {
    world.close();
  }
};

const idleCost = async (): Promise<Row> => {
  const world = await openRig({ version: '2.1.325' });
  try {
    await world.drover('setup');
    const daemon = await world.daemon();
    for (let n = 0; n < 50; n += 5) {
      const seats = await Promise.all(Array.from({ length: 5 }, () => world.claude()));
      for (const seat of seats) await seat.ready(60_000);
    }
    await new Promise(done => setTimeout(done, 10_000));
    const before = spent(daemon.pid);
    await new Promise(done => setTimeout(done, 60_000));
    const share = (spent(daemon.pid) - before) / 60;
    const live = JSON.parse((await world.drover('status', '--json')).stdout) as {
      sessions: { live: number };
    };
    return {
      what: `idle cost with ${live.sessions.live} live idle sessions of the real CLI, the daemon and its children, over 60 s`,
      target: '<= 0.5 % of one core',
      seen: `${(share * 100).toFixed(2)} %`,
      met: share <= 0.005 && live.sessions.live === 50,
    };
  } finally {
    await world.close();
  }
};
