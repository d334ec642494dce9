/** What a command costs over an empty node. */
import { spawnSync } from 'node:child_process';
import { median, ms, type Row, times } from './figures.ts';
import { type Daemon, openWorld, post } from './world.ts';

export const commandRows = async (): Promise<Row[]> => {
  const world = openWorld();
  const daemon = await world.start();
  try {
    const [empty, status] = pairs(['dist/main.js', 'status'], world.env);
    const ratio = status / empty;
    const list = await listed(daemon, world.env);
    return [
      list,
      {
        what: '`drover status` over `node -e 0`, median of 40 pairs',
        target: '<= 2 x',
        seen: `${times(ratio)} (${ms(status)} / ${ms(empty)})`,
        met: ratio <= 2,
      },
    ];
  } finally {
    await daemon.stop();
    world.close();
  }
};

/** `drover ls` over 1,000 recorded sessions, 50 of them live. */
const listed = async (daemon: Daemon, env: Record<string, string>): Promise<Row> => {
  for (let n = 0; n < 1_000; n++) {
    const id = `5eed${String(n).padStart(4, '0')}-0000-4000-8000-000000000000`;
    const rest = n % 20 === 0 ? ['PermissionRequest'] : ['Stop', 'SessionEnd'];
    for (const name of ['SessionStart', 'UserPromptSubmit', ...rest])
      await post(daemon, { session_id: id, hook_event_name: name, cwd: '/srv/app' });
  }
  const [empty, ls] = pairs(['dist/main.js', 'ls'], env);
  const ratio = ls / empty;
  return {
    what: '`drover ls` over `node -e 0`, 1,000 recorded sessions',
    target: '<= 3 x',
    seen: `${times(ratio)} (${ms(ls)} / ${ms(empty)})`,
    met: ratio <= 3,
  };
};

/** Medians of an empty node and of a command, alternating. */
const pairs = (args: string[], env: Record<string, string>): [number, number] => {
  const empty: number[] = [];
  const ours: number[] = [];
  for (let n = 0; n < 40; n++) {
    empty.push(timed(['-e', '0'], env));
    ours.push(timed(args, env));
  }
  return [median(empty), median(ours)];
};

const timed = (args: string[], env: Record<string, string>): number => {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, args, { env, stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - began;
};
