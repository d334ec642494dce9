/** Held permissions of the real CLI, answered one after another, over HTTP and in the terminal by turns: how fast, and what is left. */
import { readFile } from 'node:fs/promises';
import type { SessionPage } from '../src/contract/api.ts';
import { type Version, versions } from '../test/rig/cli.ts';
import type { Daemon } from '../test/rig/drover.ts';
import { processesOf, waitersOf } from '../test/rig/process.ts';
import type { Seat } from '../test/rig/tmux.ts';
import { until } from '../test/rig/within.ts';
import { openWorld } from '../test/rig/world.ts';
import { median, ms, percentile, type Row } from './figures.ts';

const times = 100;
const dialog = 'Do you want to proceed?';

export const answerRows = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const version of versions) rows.push(...(await answered(version)));
  return rows;
};

const answered = async (version: Version): Promise<Row[]> => {
  const world = await openWorld({ version });
  try {
    await world.drover('setup');
    const daemon = await world.daemon();
    const seat = await world.claude();
    await seat.ready();
    const { sessionId } = await seat.file(file => file.status === 'idle');
    await world.drover('hold', sessionId);
    const held = heldBy(daemon, sessionId, seat);
    const before = await processesOf(world.root);
    /** What runs in this world and did not before: waiters, hooks, and whatever else a permission starts. */
    const leftOver = async (): Promise<string[]> => {
      let fresh: number[] = [];
      await until(
        5_000,
        () => 'something is left',
        async () => {
          const now = (await processesOf(world.root)).filter(pid => !before.includes(pid));
          const commands = await Promise.all(now.map(commandOf));
          fresh = now.filter((_, index) => !isSentinel(commands[index] ?? ''));
          return fresh.length === 0 || undefined;
        },
      ).catch(() => {});
      return Promise.all(fresh.map(commandOf));
    };

    await seat.type(`LINGER 300 TIMES ${times} touch made`);
    const seen: number[] = [];
    for (let n = 1; n <= times; n++) {
      await held.shows(`touch made-${n}`);
      if (n % 2 === 0) {
        await seat.asks(dialog);
        await seat.press('Enter');
        continue;
      }
      const began = performance.now();
      const sent = held.allow();
      while ((await seat.screen()).includes(dialog)) if (performance.now() - began > 10_000) break;
      seen.push(performance.now() - began);
      await sent;
    }
    await seat.file(file => file.status === 'idle');
    const left = await leftOver();

    await seat.type('RUN touch last');
    await held.shows('touch last');
    const waiting = (await waitersOf(world.root)).length;
    await daemon.kill9();
    const killed = performance.now();
    await until(
      10_000,
      () => 'a waiter stays',
      async () => (await waitersOf(world.root)).length === 0 || undefined,
    );
    const alone = performance.now() - killed;

    const [p50, p95] = [median(seen), percentile(seen, 95)];
    return [
      {
        what: `answer over HTTP -> dialog closed on the screen, Claude Code ${version}, ${seen.length} permissions`,
        target: '<= 150 ms',
        seen: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
        met: p50 <= 150,
      },
      {
        what: `processes left of ${times} held permissions, answered over HTTP and in the terminal by turns, Claude Code ${version}`,
        target: '0',
        seen: [left.length, ...left].join(', '),
        met: left.length === 0,
      },
      {
        what: `\`kill -9\` of the daemon -> the hook that waits has ended, Claude Code ${version}`,
        target: '<= 2 s',
        seen: ms(alone),
        met: waiting === 1 && alone <= 2_000,
      },
    ];
  } finally {
    await world.close();
  }
};

/** A held session, its requests and its screen. */
const heldBy = ({ url, token }: Daemon, id: string, seat: Seat) => {
  const at = `${url}/sessions/${id}`;
  const headers = { Authorization: `Bearer ${token}` };
  return {
    /** Awaits that this command is held, and asked for on the screen. */
    shows: async (command: string): Promise<void> => {
      await until(
        20_000,
        () => `${command} is not held`,
        async () => {
          const { pending } = (await (await fetch(at, { headers })).json()) as SessionPage;
          return pending?.input?.command === command || undefined;
        },
      );
      await seat.sees(new RegExp(`${command}\\s[\\s\\S]*${dialog.replace('?', '\\?')}`));
    },
    allow: async (): Promise<void> => {
      const sent = await fetch(`${at}/answer`, { method: 'POST', headers, body: '{"behavior":"allow"}' });
      if (sent.status !== 200) throw new Error(await sent.text());
    },
  };
};

const commandOf = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'gone'))
    .replaceAll('\0', ' ')
    .trim()
    .slice(0, 80);

/** What tells tmux of the daemon's death: started anew when the daemon learns of a server. */
const isSentinel = (command: string): boolean => /^\/bin\/sh -c\s+sockets=/.test(command);
