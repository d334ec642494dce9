/** The daemon was away: what waits in the spool, and what a kill in the middle costs. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ms, type Row } from './figures.ts';
import { type Daemon, get, openWorld } from './world.ts';

export const spoolRows = async (): Promise<Row[]> => [await drain(), await crash()];

const drain = async (): Promise<Row> => {
  const world = openWorld();
  try {
    spool(world.home, 10_000);
    const began = performance.now();
    const daemon = await world.start();
    await kept(daemon, 10_000);
    const took = performance.now() - began;
    const right = isInOrderOnce(await numbers(daemon), 10_000);
    await daemon.stop();
    return {
      what: '10,000 events spooled while the daemon was down: start to all in the log, in order, once',
      target: '<= 3 s',
      seen: `${ms(took)}, ${right ? 'in order, once' : 'NOT in order or not once'}`,
      met: took <= 3_000 && right,
    };
  } finally {
    world.close();
  }
};

const crash = async (): Promise<Row> => {
  const world = openWorld();
  try {
    spool(world.home, 5_000);
    let kills = 0;
    for (const at of [700, 1_900, 3_100]) {
      const daemon = await world.start();
      while ((await taken(daemon)) < at) await new Promise(done => setTimeout(done, 1));
      await daemon.stop('SIGKILL');
      kills++;
    }
    const daemon = await world.start();
    await kept(daemon, 5_000);
    const right = isInOrderOnce(await numbers(daemon), 5_000);
    await daemon.stop();
    return {
      what: `\`kill -9\` of the daemon in the middle of 5,000 events (${kills} times), restart`,
      target: 'nothing lost, nothing twice',
      seen: right ? '5,000 in order, none lost, none twice' : 'LOST OR TWICE',
      met: right,
    };
  } finally {
    world.close();
  }
};

/** Files as emit.sh writes them, oldest first. */
const spool = (home: string, count: number): void => {
  mkdirSync(join(home, 'spool'), { recursive: true, mode: 0o700 });
  for (let n = 0; n < count; n++) {
    const head = [
      'drover1',
      'PostToolUse',
      '',
      '',
      '',
      '',
      '',
      `5eed00${n % 40}`,
      'cli',
      '',
      '',
      '',
      '',
      '',
    ].join('\0');
    const payload = JSON.stringify({
      session_id: `5eed00${n % 40}`,
      hook_event_name: 'PostToolUse',
      n,
      pad: 'x'.repeat(400),
    });
    writeFileSync(join(home, 'spool', `${n}.${String(n).padStart(8, '0')}`), `${head}\n${payload}\n\0end\n`, {
      mode: 0o600,
    });
  }
};

const taken = async (daemon: Daemon): Promise<number> =>
  (JSON.parse(await get(`${daemon.url}/status`, daemon.token)) as { events: { kept: number } }).events.kept;

const kept = async (daemon: Daemon, count: number): Promise<void> => {
  while ((await taken(daemon)) < count) await new Promise(done => setTimeout(done, 5));
};

const numbers = async (daemon: Daemon): Promise<number[]> => {
  const found: number[] = [];
  for (let after = 0; ; ) {
    const page = JSON.parse(await get(`${daemon.url}/log?after=${after}`, daemon.token)) as {
      events: { payload: { n: number } }[];
      next: number | null;
    };
    if (page.next === null) return found;
    found.push(...page.events.map(event => event.payload.n));
    after = page.next;
  }
};

const isInOrderOnce = (found: number[], count: number): boolean =>
  found.length === count && found.every((n, i) => n === i);
