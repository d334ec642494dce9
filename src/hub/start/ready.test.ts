/** A session that was started, and the pane in which its prompt line is painted a moment after it has told of itself. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../clock.ts';
import type { Loop } from '../../live/loop.ts';
import type { WaitOptions } from '../../live/waits.ts';
import type { Folded } from '../../session/memory.ts';
import { openTestPane } from '../../testing/pane.ts';
import { untilReady } from './ready.ts';

/** A pane with a banner that paints its prompt line when it is told to. */
const started = async (state: Folded['state']): Promise<{ loop: Loop; paint: () => void }> => {
  const rule = '─'.repeat(20);
  const { folder, socket, pane } = await openTestPane(
    dir =>
      `clear; echo banner; until test -e '${dir}/go'; do sleep 0.01; done\nprintf '${rule}\\n❯ \\n${rule}\\n'; cat\n`,
    'banner',
  );
  const session = { id: 's', state, pane: { socket, id: pane }, memory: { hooked: 1, file: null } };
  const until = (_: unknown, { timeout }: WaitOptions) => pause(timeout);
  const loop = { sessionIndex: { get: () => session }, until };
  return { loop: loop as unknown as Loop, paint: () => writeFileSync(join(folder, 'go'), '') };
};

test('one that has told of itself is ready when its prompt line is on the screen, not before', async () => {
  const { loop, paint } = await started('ready');
  let painted = false;
  const ready = untilReady(loop, systemClock, 's').then(({ id }) => [id, painted]);
  // Many looks are had meanwhile.
  setTimeout(() => {
    painted = true;
    paint();
  }, 300);
  expect(await ready).toEqual(['s', true]);
});

test('one that never shows a prompt line is not called ready', async () => {
  const { loop } = await started('ready');
  await expect(untilReady(loop, systemClock, 's', 200)).rejects.toThrow('shows no prompt line');
});

test.each(['waiting', 'working'] as const)('one that is %s needs no prompt line', async state => {
  const { loop } = await started(state);
  expect(await untilReady(loop, systemClock, 's', 200)).toMatchObject({ state });
});
