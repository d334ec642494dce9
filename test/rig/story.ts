/** Worlds that end with the test that opened them. */
import { afterAll, afterEach, beforeAll, onTestFinished } from 'vitest';
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

/**
 * Opens one world for the tests of a `describe`: the steps of a long story, in their order. The first that fails names the cause;
 * those after it may follow from it.
 */
export function sharedWorld(options: WorldOptions): () => World {
  let opened: World | undefined;
  beforeAll(async () => {
    opened = await openWorld(options);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail' && opened) await showScreens(opened);
  });
  afterAll(async () => {
    await opened?.close();
  });
  return () => {
    if (!opened) throw new Error('The world is opened before the first test.');
    return opened;
  };
}

async function showScreens({ seats }: World): Promise<void> {
  for (const seat of seats) {
    const screen = await seat.screen().catch(() => '(the pane is gone)');
    console.error(`--- ${seat.name} ${seat.pane}\n${screen.trimEnd()}\n---`);
  }
}
