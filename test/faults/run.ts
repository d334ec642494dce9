/** `npm run faults [minutes] [seed]`: the long form of the story, with figures. */
import { newest } from '../rig/cli.ts';
import { openWorld } from '../rig/world.ts';
import { Faults, randomOf } from './faults.ts';

const [minutes = 30, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number);
const world = await openWorld({ version: newest });
try {
  const faults = new Faults(world, randomOf(seed));
  await faults.open();
  const report = await faults.run(minutes * 60, seed);
  const isRight = report.lost.length + report.doubled.length + report.wrong.length === 0;
  // If everything went well, the times of the faults are not printed.
  console.log(JSON.stringify(isRight ? { ...report, trail: [] } : report, null, 1));
  process.exitCode = isRight ? 0 : 1;
} finally {
  await world.close();
}
