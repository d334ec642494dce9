/** `drover print`: what it takes over the CLI alone, how fast an answer is out, what is left of killed runs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newest, supported, type Version } from '../test/rig/cli.ts';
import { until } from '../test/rig/within.ts';
import { openWorld, type World } from '../test/rig/world.ts';
import { median, ms, type Row } from './figures.ts';
import { resident } from './world.ts';

const main = resolve('dist/main.js');

export const printRows = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const version of supported) rows.push(...(await measureRuns(version)));
  return [...rows, await memory()];
};

export const printCrowdRows = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const version of supported) rows.push(await crowd(version));
  return rows;
};

export const printKillsRows = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const version of supported) rows.push(await measureKilledRuns(version));
  return rows;
};

/** Both get the time of the Stop from the same hook of the user. */
const measureRuns = async (version: Version): Promise<Row[]> => {
  const world = await openWorld({ version, settings: { hooks: { Stop: [{ hooks: [stamp] }] } } });
  try {
    const series: Record<'alone' | 'ours' | 'out' | 'json', number[]> = {
      alone: [],
      ours: [],
      out: [],
      json: [],
    };
    for (let n = 0; n < 20; n++) {
      series.alone.push(await cliAlone(world, n));
      const given = await oneRun(world, ['SAY hello']);
      series.ours.push(given.took);
      series.out.push(given.out);
      series.json.push((await oneRun(world, ['SAY hello', '-o', 'json'])).out);
    }
    const [alone, ours, out, json] = Object.values(series).map(median) as [number, number, number, number];
    const most = version === newest ? 280 : 200;
    return [
      {
        what: `print, cold, ${version}: over the CLI alone in tmux, start to Stop, median of 20 pairs`,
        target: `<= ${most} ms`,
        seen: `${ms(ours - alone)} (${ms(ours)} / ${ms(alone)})`,
        met: ours - alone <= most,
      },
      {
        what: `print, ${version}: Stop fired -> answer complete on stdout, median of 20`,
        target: '<= 60 ms',
        seen: ms(out),
        met: out <= 60,
      },
      {
        what: `the same, ${version}, json: the CLI writes turns and usage after the Stop, and cost as it ends`,
        target: 'none',
        seen: ms(json),
        met: true,
      },
    ];
  } finally {
    await world.close();
  }
};

/** One run: its wall time, and from the Stop to the last of its output, ms. */
const oneRun = async (world: World, args: string[]): Promise<{ took: number; out: number }> => {
  const began = Date.now();
  const run = start(world, args);
  let last = 0;
  run.stdout?.on('data', () => (last = Date.now()));
  await ended(run, 0);
  return { took: Date.now() - began, out: last - (await stopAt(world)) };
};

const stamp = { type: 'command', command: 'date +%s%N >"$HOME/stop"' };

/** From the start of the terminal to the Stop, as a person would start it. */
const cliAlone = async (world: World, n: number): Promise<number> => {
  rmSync(join(world.home, 'stop'), { force: true });
  const began = Date.now();
  const command = ['env', 'claude', '--', 'SAY hello'];
  await world.tmux([
    'new-session',
    '-d',
    '-x',
    '220',
    '-y',
    '50',
    '-s',
    `n${n}`,
    '-c',
    world.dir(),
    ...command,
  ]);
  const took = (await stopAt(world)) - began;
  await world.tmux(['kill-server']);
  await until(
    5_000,
    () => 'the CLI continues',
    async () => ((await world.processes()).length ? undefined : true),
  );
  return took;
};

const stopAt = async (world: World): Promise<number> => {
  const file = join(world.home, 'stop');
  const text = await until(
    20_000,
    () => 'no Stop',
    () => {
      const said = attempt(() => readFileSync(file, 'utf8')) ?? '';
      return said.endsWith('\n') ? said : undefined;
    },
  );
  rmSync(file);
  return Number(text) / 1e6;
};

const memory = async (): Promise<Row> => {
  const world = await openWorld({ version: newest });
  try {
    const run = start(world, ['SLEEP 3000 SAY hello', '-o', 'json']);
    await world.model.asked(({ prompt }) => prompt?.startsWith('SLEEP') ?? false);
    await pause(1_000);
    const own = (await world.processes()).filter(pid => nameOf(pid) !== 'claude');
    const total = own.reduce((sum, pid) => sum + resident(pid), 0);
    const names = own.map(nameOf).join(', ');
    await ended(run, 0);
    return {
      what: `print: memory of a run besides the CLI (${names})`,
      target: '<= 80 MB',
      seen: `${total.toFixed(0)} MB`,
      met: total <= 80,
    };
  } finally {
    await world.close();
  }
};

const crowd = async (version: Version): Promise<Row> => {
  let own = 0;
  for (let round = 0; round < 5; round++) {
    const world = await openWorld({ version });
    try {
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          const run = start(world, [`SAY answer-${round}-${n}`]);
          let said = '';
          run.stdout?.on('data', chunk => (said += String(chunk)));
          await ended(run);
          const isOwn = said === `answer-${round}-${n}\n`;
          if (!isOwn) process.stderr.write(`run ${n} of round ${round} said ${JSON.stringify(said)}\n`);
          return isOwn;
        }),
      );
      own += answers.filter(Boolean).length;
    } finally {
      await world.close();
    }
  }
  return {
    what: `print, ${version}: 20 runs at once in one folder, five times, each with its own answer`,
    target: '100 of 100',
    seen: `${own} of 100`,
    met: own === 100,
  };
};

/** 200 runs, four at a time, three of four ended by a signal at some moment of their life. */
const measureKilledRuns = async (version: Version): Promise<Row> => {
  const world = await openWorld({ version });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let wrong = 0;
  try {
    let next = 0;
    const worker = async () => {
      while (next < 200) {
        const n = next++;
        const run = start(world, ['SLEEP 200 SAY hello']);
        const code = new Promise(done => run.once('close', done));
        const delay = Math.random() * 1_500;
        const isShot = n % 8 === 1;
        if (n % 4) {
          await pause(delay);
          run.kill(signals[n % 3]);
          if (isShot) run.kill('SIGKILL');
        }
        // Until node runs, a signal ends it by itself.
        const right: unknown[] = [0, ...(n % 4 ? [130] : []), ...(isShot || delay < 300 ? [null] : [])];
        const got = await code;
        if (right.includes(got)) continue;
        wrong++;
        process.stderr.write(`run ${n} ended with ${String(got)}, a signal after ${delay.toFixed(0)} ms\n`);
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    const left = async () => [
      ...readdirSync(join(world.root, 'tmp')).filter(name => name.startsWith('claude-print')),
      ...(await world.processes()),
    ];
    // The cleanup process needs a moment.
    await until(
      5_000,
      () => '',
      async () => ((await left()).length ? undefined : true),
    ).catch(() => {});
    const names = await left();
    const found = names.length;
    if (found > 0) process.stderr.write(`left: ${names.join(', ')}\n`);
    return {
      what: `print, ${version}: folders and processes left of 200 runs, 150 of them ended by signals at random moments; wrong exit codes`,
      target: '0, 0',
      seen: `${found}, ${wrong}`,
      met: found + wrong === 0,
    };
  } finally {
    await world.close();
  }
};

const start = (world: World, args: string[]): ChildProcess =>
  spawn(process.execPath, [main, 'print', ...args], {
    cwd: world.dir(),
    env: world.env(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const ended = async (run: ChildProcess, wanted?: number): Promise<void> => {
  const code = await new Promise(done => run.once('close', done));
  if (wanted !== undefined && code !== wanted) throw new Error(`a run ended with ${String(code)}`);
};

const nameOf = (pid: number): string => attempt(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()) ?? '';

const attempt = <T>(task: () => T): T | null => {
  try {
    return task();
  } catch {
    return null;
  }
};
