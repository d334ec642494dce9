import { spawn } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { processStart } from '../proc.ts';
import type { Folded } from '../session/memory.ts';
import { hookDraft, openPipeline } from '../testing/pipeline.ts';
import { Hands } from './stop.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

test.each([
  ['its own process', 0, false],
  ['a process that has got its pid since, which is spared', 60_000, true],
])('a stop ends the session and %s', async (_, ago, lives) => {
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill());
  const pid = child.pid as number;
  const { loop } = await openPipeline();
  await loop.take([{ draft: hookDraft('SessionStart', {}, { pid }, Date.now() - ago) }]);
  const hands = new Hands(loop, systemClock, () => Promise.resolve());
  const ended = await hands.stop(loop.roll.get(id) as Folded);
  expect([ended.state, processStart(pid) !== null]).toEqual(['ended', lives]);
});
