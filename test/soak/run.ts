/** `npm run soak [messages] [sessions] [kills] [version]`: the long form of the story, with figures. */
import { supported } from '../rig/cli.ts';
import { openWorld } from '../rig/world.ts';
import { soak } from './soak.ts';

const [messages = 2_000, sessions = 20, kills = 20] = process.argv.slice(2, 5).map(Number);
const only = process.argv[5];
let wrong = 0;
for (const version of supported.filter(version => !only || version === only)) {
  const world = await openWorld({ version });
  try {
    const { lost, doubled, merged, untrue, receipts, trail, statuses, longest, seconds } = await soak(world, {
      messages,
      sessions,
      kills,
    });
    wrong += lost.length + doubled.length + merged.length + untrue.length;
    console.log(
      `${version}: ${messages} messages, ${sessions} sessions, ${kills} restarts: ${lost.length} lost, ${doubled.length} typed twice, ${merged.length} merged, ${untrue.length} false receipts, ${JSON.stringify(statuses)}, daemon gone after ${longest.stop} ms and back after ${longest.start} ms at most, ${seconds} s`,
    );
    for (const text of new Set([...lost, ...doubled, ...merged, ...untrue])) {
      console.log(`  ${text}: ${JSON.stringify(receipts.get(text))}`);
      for (const line of trail(text)) console.log(`    ${line}`);
    }
  } finally {
    await world.close();
  }
}
process.exitCode = wrong === 0 ? 0 : 1;
