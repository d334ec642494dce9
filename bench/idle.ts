/**
 * What 50 idle sessions cost, and how soon the death of one is known. Each session is a process called `claude` in a pane of a real tmux
 * server, with a session file as the CLI writes it and a start told by the registered hook: the daemon meets the same files, processes
 * and panes as with 50 real CLIs, which would need 12 GB. `truth` measures those.
 */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processStart } from '../src/proc.ts';
import { hooksOf, sessionId } from '../test/rig/hook.ts';
import { openWorld as openRig, type World } from '../test/rig/world.ts';
import { subscribe } from '../test/rig/sse.ts';
import { ms, percentile, type Row } from './figures.ts';
import { spent } from './world.ts';

const sessions = 50;
const minutes = Number(process.env.DROVER_BENCH_MINUTES ?? 5);
const kills = 30;

export const idleRows = async (): Promise<Row[]> => {
  const world = await openRig({ version: '2.1.325' });
  try {
    const hooks = await hooksOf(world);
    const daemon = await world.daemon();
    const pids = await standIns(world);
    for (const [n, { pid, pane, tmux }] of pids.entries())
      await hooks.fire(
        { session_id: sessionId(n), hook_event_name: 'SessionStart', source: 'startup', cwd: world.dir() },
        { env: { CLAUDE_PID: String(pid), TMUX: tmux, TMUX_PANE: pane, CLAUDE_CODE_ENTRYPOINT: 'cli' } },
      );
    await pause(15_000);
    const live = await liveIn(world);
    const before = spent(daemon.pid);
    await pause(minutes * 60_000);
    const share = (spent(daemon.pid) - before) / (minutes * 60);
    const late = await deaths(
      daemon,
      pids.slice(0, kills).map(({ pid }, n) => ({ pid, id: sessionId(n) })),
    );
    const p95 = percentile(late, 95);
    return [
      {
        what: `idle cost with ${live} live idle sessions, the daemon and its children, over ${minutes} min`,
        target: '<= 0.5 % of one core',
        seen: `${(share * 100).toFixed(2)} %`,
        met: share <= 0.005 && live === sessions,
      },
      {
        what: `a session that is killed, until it is told as ended, p95 of ${late.length} with ${sessions} live`,
        target: '<= 300 ms',
        seen: ms(p95),
        met: p95 <= 300 && late.length === kills,
      },
    ];
  } finally {
    await world.close();
  }
};

interface StandIn {
  pid: number;
  pane: string;
  tmux: string;
}

const standIns = async (world: World): Promise<StandIn[]> => {
  const binary = join(world.root, 'stand-in', 'claude');
  mkdirSync(join(world.root, 'stand-in'));
  copyFileSync('/bin/sleep', binary);
  const folder = join(world.home, '.claude', 'sessions');
  mkdirSync(folder, { recursive: true });
  const made: StandIn[] = [];
  for (let n = 0; n < sessions; n++) {
    const told = '#{pane_pid} #{pane_id} #{socket_path},#{pid},0';
    const words = [
      'new-session',
      '-d',
      '-P',
      '-F',
      told,
      '-s',
      `s${n}`,
      '-c',
      world.dir(),
      'env',
      binary,
      '36000',
    ];
    const [pid = '', pane = '', tmux = ''] = (await world.tmux(words)).trim().split(' ');
    const now = Date.now();
    const file = {
      pid: Number(pid),
      sessionId: sessionId(n),
      cwd: world.dir(),
      startedAt: now,
      version: '2.1.325',
    };
    const more = {
      procStart: processStart(Number(pid)),
      kind: 'interactive',
      entrypoint: 'cli',
      status: 'idle',
    };
    writeFileSync(join(folder, `${pid}.json`), JSON.stringify({ ...file, ...more, statusUpdatedAt: now }));
    made.push({ pid: Number(pid), pane, tmux });
  }
  return made;
};

const liveIn = async (world: World): Promise<number> =>
  (JSON.parse((await world.drover('status', '--json')).stdout) as { sessions: { live: number } }).sessions
    .live;

/** Kills them one by one, at moments that have nothing to do with the daemon's own, and awaits that each is told as ended. */
const deaths = async (
  { url, token }: { url: string; token: string },
  victims: { pid: number; id: string }[],
): Promise<number[]> => {
  const stream = await subscribe(url, token);
  const late: number[] = [];
  for (const { pid, id } of victims) {
    await pause(200 + Math.random() * 500);
    const began = performance.now();
    process.kill(pid, 'SIGKILL');
    await stream.next(
      ({ event, data }) => event === 'state' && data.includes(id) && data.includes('"state":"ended"'),
      5_000,
    );
    late.push(performance.now() - began);
  }
  stream.close();
  return late;
};
