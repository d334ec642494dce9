/** `drover print --warm`: what it takes over the model's own time, and beside `claude -p`. */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { supported, type Version } from '../test/rig/cli.ts';
import { until } from '../test/rig/within.ts';
import { openWorld, type World } from '../test/rig/world.ts';
import { median, ms, type Row } from './figures.ts';

const main = resolve('dist/main.js');
const stamp = { type: 'command', command: 'date +%s%N >"$HOME/stop"' };

export const printWarmRows = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const version of supported) rows.push(...(await warm(version)));
  return rows;
};

const warm = async (version: Version): Promise<Row[]> => {
  const world = await openWorld({ version, settings: { hooks: { Stop: [{ hooks: [stamp] }] } } });
  try {
    writeFileSync(join(world.droverHome, 'config.json'), '{"warm":{"size":1}}');
    await world.daemon();
    const claude = join(world.root, 'bin', 'claude');
    const print = [main, 'print', '--warm', 'SAY hello'];
    await timed(world, process.execPath, print);
    const [alone, headless, ours]: [number[], number[], number[]] = [[], [], []];
    for (let n = 0; n < 20; n++) {
      await isReady(world);
      ours.push(await timed(world, process.execPath, [...print, '--verbose']));
      await isReady(world);
      alone.push(await enterToStop(world, n));
      headless.push(await timed(world, claude, ['-p', 'SAY hello']));
    }
    const over = median(ours) - median(alone);
    const less = median(headless) - median(ours);
    return [
      {
        what: `print, warm, ${version}: over Enter to Stop of a session alone, median of 20`,
        target: '<= 150 ms',
        seen: `${ms(over)} (${ms(median(ours))} / ${ms(median(alone))})`,
        met: over <= 150,
      },
      {
        what: `print, warm, ${version}: less than \`claude -p\` by, median of 20`,
        target: '> 0 ms',
        seen: `${ms(less)} (${ms(median(ours))} / ${ms(median(headless))})`,
        met: less > 0,
      },
    ];
  } finally {
    await world.close();
  }
};

/** Wall time of a program that answers; a warm run reports itself as warm. */
const timed = async (world: World, command: string, args: string[]): Promise<number> => {
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: world.dir(),
    env: world.env(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [said, noted] = ['', ''];
  child.stdout.on('data', chunk => (said += String(chunk)));
  child.stderr.on('data', chunk => (noted += String(chunk)));
  await new Promise(done => child.once('close', done));
  const took = performance.now() - began;
  if (said !== 'hello\n') throw new Error(`it said ${JSON.stringify(said + noted)}`);
  if (args.includes('--verbose') && !noted.includes('warm run')) throw new Error(`not warm: ${noted}`);
  return took;
};

const isReady = (world: World): Promise<true> =>
  until(
    30_000,
    () => 'the pool is not ready',
    async () => {
      const { stdout } = await world.drover('status', '--json');
      return JSON.parse(stdout).warm.ready === 1 ? true : undefined;
    },
  );

/** A new session with the same text in its prompt line: from Enter to its Stop. */
const enterToStop = async (world: World, n: number): Promise<number> => {
  const seat = await world.claude();
  await seat.ready();
  // Wait as long as a CLI of the pool has been idle at least.
  await pause(1_000);
  rmSync(join(world.home, 'stop'), { force: true });
  await world.tmux(['send-keys', '-t', seat.pane, '-l', 'SAY hello']);
  await seat.sees('SAY hello');
  const began = Date.now();
  await world.tmux(['send-keys', '-t', seat.pane, 'Enter']);
  const text = await until(
    20_000,
    () => `no Stop of session ${n}`,
    () => {
      const stood = attempt(() => readFileSync(join(world.home, 'stop'), 'utf8')) ?? '';
      return stood.endsWith('\n') ? stood : undefined;
    },
  );
  await world.tmux(['kill-server']);
  return Number(text) / 1e6 - began;
};

const attempt = <T>(task: () => T): T | null => {
  try {
    return task();
  } catch {
    return null;
  }
};
