/**
 * What 50 idle sessions cost, and how soon the death of one is known. Each session is a process called `claude` in a pane of a real tmux
 * server, with a session file as the CLI writes it and a start reported by the registered hook: the daemon sees the same files, processes
 * and panes as with 50 real CLIs, which would need 12 GB. `truth` measures those.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { platformName } from '../src/platform/system.ts';
import { type StandIn, standIn } from '../test/faults/stand-ins.ts';
import { hooksOf, sessionId } from '../test/rig/hook.ts';
import { openWorld as openRig, type World } from '../test/rig/world.ts';
import { subscribe } from '../test/rig/sse.ts';
import { ms, percentile, type Row } from './figures.ts';
import { spent } from './world.ts';

const sessions = 50;
const minutes = Number(process.env.DROVER_BENCH_MINUTES ?? 5);
const kills = 30;
/** Share of a core; with the code for macOS (DROVER_PLATFORM=bsd) one `ps` and one list of panes cost more than /proc. */
const most = platformName === 'bsd' ? 0.01 : 0.005;

export const idleRows = async (): Promise<Row[]> => {
  const world = await openRig({ version: '2.1.325' });
  try {
    const hooks = await hooksOf(world);
    const daemon = await world.daemon();
    const crowd: StandIn[] = [];
    for (let n = 0; n < sessions; n++) crowd.push(await standIn(world, sessionId(n)));
    for (const { id, env } of crowd)
      await hooks.fire(
        { session_id: id, hook_event_name: 'SessionStart', source: 'startup', cwd: world.dir() },
        { env },
      );
    await pause(15_000);
    const live = await liveIn(world);
    const before = spent(daemon.pid);
    await pause(minutes * 60_000);
    const share = (spent(daemon.pid) - before) / (minutes * 60);
    const late = await deaths(daemon, crowd.slice(0, kills));
    const p95 = percentile(late, 95);
    return [
      {
        what: `idle cost with ${live} live idle sessions, the daemon and its children, over ${minutes} min${platformName === 'bsd' ? ', processes read by ps' : ''}`,
        target: `<= ${most * 100} % of one core`,
        seen: `${(share * 100).toFixed(2)} %`,
        met: share <= most && live === sessions,
      },
      {
        what: `a session that is killed, until it is reported as ended, p95 of ${late.length} with ${sessions} live`,
        target: '<= 300 ms',
        seen: `${ms(p95)}, ${ms(Math.max(...late))} at most`,
        met: p95 <= 300 && late.length === kills,
      },
    ];
  } finally {
    await world.close();
  }
};

const liveIn = async (world: World): Promise<number> =>
  (JSON.parse((await world.drover('status', '--json')).stdout) as { sessions: { live: number } }).sessions
    .live;

/** Kills them one by one, at moments that have nothing to do with the daemon's own, and waits until each is reported as ended. */
const deaths = async (
  { url, token }: { url: string; token: string },
  victims: StandIn[],
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
