/** Worlds that end with the test that opened them. */
import { onTestFinished } from 'vitest';
import { openWorld, type World, type WorldOptions } from './world.ts';

/** Opens a world for the running test; a failed test leaves its screens in the output before the world goes. */
export async function world(options: WorldOptions): Promise<World> {
  const opened = await openWorld(options);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await showScreens(opened);
    await opened.close();
  });
  return opened;
}

async function showScreens({ seats }: World): Promise<void> {
  for (const seat of seats) {
    const screen = await seat.screen().catch(() => '(the pane is gone)');
    console.error(`--- ${seat.name} ${seat.pane}\n${screen.trimEnd()}\n---`);
  }
}
