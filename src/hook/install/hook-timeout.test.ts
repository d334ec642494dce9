import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempHome } from '../../testing/home.ts';
import { handlerFor } from './command.ts';
import { hookTimeout } from './hook-timeout.ts';
import { merge } from './merge.ts';

const opened = (config: unknown) => {
  const { home, config: file } = tempHome();
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
  return { home, env: { HOME: '/nowhere', DROVER_HOME: home } };
};
const agents = (...seconds: unknown[]) =>
  seconds.map((answer_seconds, n) => ({ agent_id: `a${n}`, hook_settings: { answer_seconds } }));

test.each<[string, unknown, number]>([
  ['no agent', {}, 600],
  ['a fast agent', { agents: agents(30) }, 600],
  ['the slowest of several', { agents: agents(900, 7_200.5, 20) }, 7_231],
  ['a global setting', { hook_settings: { answer_seconds: 1_000 }, agents: agents(undefined) }, 1_030],
  [
    'values that mean nothing',
    { agents: [null, ...agents('9999', -5)], hook_settings: 7, registries: [3] },
    600,
  ],
  ['an agent that may take a year', { agents: agents(31_536_000) }, 2_147_483],
  ['a file that is not JSON', '{', 600],
])('hooks wait as long as the slowest agent: %s', (_, config, seconds) => {
  const { env } = opened(config);
  expect(hookTimeout(env)).toBe(seconds);
  expect(handlerFor('Stop', env).timeout).toBe(seconds);
  expect(handlerFor('PreToolUse', env).timeout).toBe(10);
});

test('agents of a followed registry count too', () => {
  const { home, env } = opened({});
  const registry = join(home, 'registry.json');
  writeFileSync(registry, JSON.stringify({ agents: agents(3_000) }));
  writeFileSync(join(home, 'config.json'), JSON.stringify({ registries: [registry, '/nowhere'] }));
  expect(hookTimeout(env)).toBe(3_030);
});

test('setup raises a timeout that is too short, and keeps a longer one', () => {
  const { env } = opened({ agents: agents(900) });
  const handler = handlerFor('Stop', env);
  const timeoutAfter = (timeout: number) => {
    const before = JSON.stringify({ hooks: { Stop: [{ hooks: [{ ...handler, timeout }] }] } });
    const { text } = merge(before, new Map([['Stop', handler]]), undefined, 'settings.json');
    return JSON.parse(text).hooks.Stop[0].hooks[0].timeout as number;
  };
  expect([timeoutAfter(600), timeoutAfter(930), timeoutAfter(5_000)]).toEqual([930, 930, 5_000]);
});
