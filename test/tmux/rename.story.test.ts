/** A window that somebody renames: no source reports it, so Drover looks when the tmux server has done something. */
import { setTimeout as pauseFor } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';

test('a renamed window is shown within a second, also after a quiet time and right after another one', async () => {
  const story = await world({ version: newest });
  await story.drover('setup');
  const hub = await hubOf(story);
  const seat = await story.claude();
  await seat.ready();
  const { sessionId: id } = await seat.file(file => file.status === 'idle');
  await hub.is(id, ({ pane }) => Boolean(pane?.window));
  const times: number[] = [];
  for (const [n, quiet] of [7_000, 0, 900, 50, 2_500].entries()) {
    await pauseFor(quiet);
    const at = performance.now();
    await story.tmux(['rename-window', '-t', seat.pane, `name-${n}`]);
    await hub.is(id, ({ pane }) => pane?.window === `name-${n}`);
    times.push(performance.now() - at);
  }
  // The median: on a loaded machine a single look may be late.
  expect(times.sort((a, b) => a - b)[2]).toBeLessThan(1_000);
}, 120_000);
