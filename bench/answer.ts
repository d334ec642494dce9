/** Held permissions of the real CLI, answered one after another, over HTTP and in the terminal by turns: how fast, and what is left. */
import { readFile } from 'node:fs/promises';
import type { Answered } from '../src/contract/answer.ts';
import type { SessionPage } from '../src/contract/api.ts';
import { supported, type Version } from '../test/rig/cli.ts';
import type { Daemon } from '../test/rig/drover.ts';
import { processesOf, waitersOf } from '../test/rig/process.ts';
import type { Seat } from '../test/rig/tmux.ts';
import { until } from '../test/rig/within.ts';
import { openWorld, type World } from '../test/rig/world.ts';
import { median, ms, percentile, type Row } from './figures.ts';

const times = 100;
const screenTimes = 50;
const dialog = 'Do you want to proceed?';

export const answerRows = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const version of supported)
    rows.push(...(await answered(version)), await measureScreenAnswers(version));
  return rows;
};

const answered = async (version: Version): Promise<Row[]> => {
  const world = await openWorld({ version });
  try {
    const { daemon, seat, sessionId } = await sessionIn(world);
    const held = requestsOf(daemon, sessionId, seat);
    const before = await processesOf(world.root);
    /** Processes of this world that did not run before: waiting hooks, and whatever else a permission starts. */
    const leftOver = async (): Promise<string[]> => {
      let fresh: number[] = [];
      await until(
        5_000,
        () => 'something is left',
        async () => {
          const now = (await processesOf(world.root)).filter(pid => !before.includes(pid));
          const commands = await Promise.all(now.map(commandOf));
          fresh = now.filter((_, index) => !isLivenessProbe(commands[index] ?? ''));
          return fresh.length === 0 || undefined;
        },
      ).catch(() => {});
      return Promise.all(fresh.map(commandOf));
    };

    await seat.type(`LINGER 300 TIMES ${times} touch made`);
    const seen: number[] = [];
    const calls: number[] = [];
    for (let n = 1; n <= times; n++) {
      await held.shows(`touch made-${n}`);
      if (n % 2 === 0) {
        await seat.asks(dialog);
        await seat.press('Enter');
        continue;
      }
      const began = performance.now();
      const sent = held.allow().then(() => calls.push(performance.now() - began));
      while ((await seat.screen()).includes(dialog)) if (performance.now() - began > 10_000) break;
      seen.push(performance.now() - began);
      await sent;
    }
    await seat.file(file => file.status === 'idle');
    const left = await leftOver();

    await seat.type('RUN touch last');
    await held.shows('touch last');
    const waiting = (await waitersOf(world.root)).length;
    const cost = await costOf((await processesOf(world.root)).filter(pid => !before.includes(pid)));
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
        what: `answer over HTTP -> response, once Claude Code has shown that it took it, Claude Code ${version}`,
        target: 'p95 <= 150 ms',
        seen: `p50 ${ms(median(calls))}, p95 ${ms(percentile(calls, 95))}`,
        met: percentile(calls, 95) <= 150,
      },
      {
        what: `processes left of ${times} held permissions, answered over HTTP and in the terminal by turns, Claude Code ${version}`,
        target: '0',
        seen: [left.length, ...left].join(', '),
        met: left.length === 0,
      },
      {
        what: `cost of one open held request, Claude Code ${version}`,
        target: '<= 2 MB',
        seen: `${cost.processes} processes, ${cost.megabytes.toFixed(1)} MB of their own`,
        met: cost.megabytes <= 2,
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

/** A daemon with its hooks registered, and one session at its prompt. */
const sessionIn = async (world: World) => {
  await world.drover('setup');
  const daemon = await world.daemon();
  const seat = await world.claude();
  await seat.ready();
  const { sessionId } = await seat.file(file => file.status === 'idle');
  return { daemon, seat, sessionId };
};

/** Permissions that are answered by keys: Drover presses the key in the terminal. The time during which the CLI ignores keys is reported separately. */
const measureScreenAnswers = async (version: Version): Promise<Row> => {
  const world = await openWorld({ version, approvals: 'terminal' });
  try {
    const { daemon, seat, sessionId } = await sessionIn(world);
    const asked = requestsOf(daemon, sessionId, seat);
    await seat.type(`LINGER 300 TIMES ${screenTimes} touch made`);
    const seen: number[] = [];
    const deaf: number[] = [];
    for (let n = 1; n <= screenTimes; n++) {
      const isShown = await asked.shows(`touch made-${n}`, page => page.requests.length === 1);
      const began = performance.now();
      const sent = asked.allow();
      while (isShown(await seat.screen())) if (performance.now() - began > 10_000) break;
      const took = performance.now() - began;
      const { way, waited = 0 } = await sent;
      if (way !== 'screen') throw new Error(`answered by ${way}`);
      seen.push(took - waited);
      deaf.push(waited);
    }
    const [p50, p95] = [median(seen), percentile(seen, 95)];
    return {
      what: `answer by the screen -> dialog gone, from when it takes keys, Claude Code ${version}, ${seen.length} permissions`,
      target: 'p95 <= 400 ms',
      seen: `p50 ${ms(p50)}, p95 ${ms(p95)}; before that p50 ${ms(median(deaf))}, p95 ${ms(percentile(deaf, 95))}`,
      met: p95 <= 400,
    };
  } finally {
    await world.close();
  }
};

/** What these processes cost: their number, and the memory that they do not share with others. */
const costOf = async (pids: number[]): Promise<{ processes: number; megabytes: number }> => {
  const maps = await Promise.all(
    pids.map(async pid => {
      const command = await commandOf(pid);
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
      const kilobytes = Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? Number.NaN);
      return isLivenessProbe(command) || Number.isNaN(kilobytes) ? [] : [kilobytes];
    }),
  );
  const found = maps.flat();
  return { processes: found.length, megabytes: found.reduce((sum, one) => sum + one, 0) / 1024 };
};

/** A session, its requests and its screen. */
const requestsOf = ({ url, token }: Daemon, id: string, seat: Seat) => {
  const at = `${url}/sessions/${id}`;
  const headers = { Authorization: `Bearer ${token}` };
  return {
    /** Waits until this command is on the screen and held, or open as `isOpen` defines it. Returns a check whether a screen still shows it. */
    shows: async (
      command: string,
      isOpen: (page: SessionPage) => boolean = ({ pending }) => pending?.input?.command === command,
    ): Promise<(screen: string) => boolean> => {
      await until(
        20_000,
        () => `${command} is not open`,
        async () => isOpen((await (await fetch(at, { headers })).json()) as SessionPage) || undefined,
      );
      const pattern = new RegExp(`${command}\\s[\\s\\S]*${dialog.replace('?', '\\?')}`);
      await seat.sees(pattern);
      return screen => pattern.test(screen);
    },
    allow: async (): Promise<Answered> => {
      const sent = await fetch(`${at}/answer`, { method: 'POST', headers, body: '{"behavior":"allow"}' });
      if (sent.status !== 200) throw new Error(await sent.text());
      return (await sent.json()) as Answered;
    },
  };
};

const commandOf = async (pid: number): Promise<string> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'gone'))
    .replaceAll('\0', ' ')
    .trim()
    .slice(0, 80);

/** Whether this is the liveness probe, which is restarted when the daemon finds another tmux server. */
const isLivenessProbe = (command: string): boolean => /^\/bin\/sh -c\s+sockets=/.test(command);
