/** A session whose prompt line is painted a moment after it has reported in. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../clock.ts';
import type { Loop } from '../../live/loop.ts';
import type { WaitOptions } from '../../live/waiters.ts';
import type { Folded } from '../../session/memory.ts';
import { openTestPane } from '../../testing/pane.ts';
import { awaitReady } from './await-ready.ts';

/** Opens a pane with a banner; `paint` adds the prompt line. */
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

test('a session that has reported in is ready when its prompt line is on the screen, not before', async () => {
  const { loop, paint } = await started('ready');
  let painted = false;
  const ready = awaitReady(loop, systemClock, 's').then(({ id }) => [id, painted]);
  // It is read many times meanwhile.
  setTimeout(() => {
    painted = true;
    paint();
  }, 300);
  expect(await ready).toEqual(['s', true]);
});

test('a session that never shows a prompt line is not ready', async () => {
  const { loop } = await started('ready');
  await expect(awaitReady(loop, systemClock, 's', 200)).rejects.toThrow('shows no prompt line');
});

test.each(['waiting', 'working'] as const)('a session that is %s needs no prompt line', async state => {
  const { loop } = await started(state);
  expect(await awaitReady(loop, systemClock, 's', 200)).toMatchObject({ state });
});
