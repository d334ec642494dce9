/** What a command costs over an empty node. */
import { spawnSync } from 'node:child_process';
import { median, ms, type Row, times } from './figures.ts';
import { openWorld } from './world.ts';

export const commandRows = async (): Promise<Row[]> => {
  const world = openWorld();
  const daemon = await world.start();
  try {
    const empty: number[] = [];
    const status: number[] = [];
    for (let n = 0; n < 40; n++) {
      empty.push(timed(['-e', '0'], world.env));
      status.push(timed(['dist/main.js', 'status'], world.env));
    }
    const ratio = median(status) / median(empty);
    return [
      {
        what: '`drover status` over `node -e 0`, median of 40 pairs',
        target: '<= 2 x',
        seen: `${times(ratio)} (${ms(median(status))} / ${ms(median(empty))})`,
        met: ratio <= 2,
      },
    ];
  } finally {
    await daemon.stop();
    world.close();
  }
};

const timed = (args: string[], env: Record<string, string>): number => {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, args, { env, stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - began;
};
