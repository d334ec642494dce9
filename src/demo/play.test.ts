import { expect, test } from 'vitest';
import { play } from './play.ts';
import type { Scene } from './scene.ts';

const seconds = (scene: Scene): number =>
  ('takes' in scene ? scene.takes : 0) + ('waits' in scene ? scene.waits : 0);

test('a day of every session takes about a minute, and somebody waits within the first seconds', () => {
  for (const { project, scenes } of play) {
    const day = scenes.reduce((sum, scene) => sum + seconds(scene), 0);
    expect([project, day > 35 && day < 75]).toEqual([project, true]);
  }
  const first = play.map(({ scenes }) => {
    const ask = scenes.findIndex(({ kind }) => kind === 'ask');
    return ask < 0
      ? Number.POSITIVE_INFINITY
      : scenes.slice(0, ask).reduce((sum, scene) => sum + seconds(scene), 0);
  });
  expect(Math.min(...first)).toBeLessThan(1);
});

test('it shows a permission, a question, a plan, a failure, background work and an answer', () => {
  const scenes = play.flatMap(part => part.scenes);
  const tools = scenes.flatMap(scene => (scene.kind === 'ask' ? [scene.tool] : []));
  expect(tools).toEqual(expect.arrayContaining(['Bash', 'AskUserQuestion', 'ExitPlanMode']));
  expect(scenes.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['prompt', 'tool', 'say', 'background', 'fail', 'rest']),
  );
});
