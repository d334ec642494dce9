import { expect, test } from 'vitest';
import type { Wake, WakeAgent } from '../../contract/wake.ts';
import { Blocks, blocked } from './blocks.ts';
import { defaultSettings } from '../registry/settings.ts';

const agent = (settings: object = {}): WakeAgent => ({
  id: 'warden',
  entry: { agent_id: 'warden', enabled: true },
  settings: { ...defaultSettings, ...settings },
  inactive: null,
  file: null,
});
const empty = { newest: () => [] };

test('one block in a turn unless configured; a new turn starts from zero', () => {
  const blocks = new Blocks(empty);
  expect(blocks.whyDenied(agent(), 's', false, 0)).toBeNull();
  blocks.count('warden', 's', 0);
  expect(blocks.whyDenied(agent(), 's', true, 1)).toContain('in this turn');
  expect(blocks.whyDenied(agent({ max_blocks: 2 }), 's', true, 1)).toBeNull();
  blocks.count('warden', 's', 1);
  expect(blocks.whyDenied(agent({ max_blocks: 2 }), 's', true, 2)).toContain('2 times');
  expect(blocks.whyDenied(agent(), 's', false, 3)).toBeNull();
});

test('without limits an agent blocks as often as it wants', () => {
  const blocks = new Blocks(empty);
  const free = agent({ max_blocks: null, blocks_per_hour: null });
  for (let n = 0; n < 50; n++) blocks.count('warden', 's', n);
  expect(blocks.whyDenied(free, 's', true, 60)).toBeNull();
  expect(blocks.whyDeniedThisHour(free, 60)).toBeNull();
});

test('a block of another hook counts too', () => {
  expect(new Blocks(empty).whyDenied(agent(), 's', true, 0)).toContain('1 times');
});

test('the limit of an hour counts all sessions, also over a restart', () => {
  const blocks = new Blocks(empty);
  const two = agent({ blocks_per_hour: 2 });
  blocks.count('warden', 'a', 1_000);
  blocks.count('warden', 'b', 2_000);
  expect(blocks.whyDenied(two, 'c', false, 3_000)).toContain('in an hour');
  expect(blocks.whyDenied(two, 'c', false, 3_601_500)).toBeNull();
  const wake = { reason: `${blocked}go on`, doneAt: 1_000, at: 0 } as Wake;
  const after = new Blocks({ newest: () => [wake, { ...wake, reason: null }, wake] });
  expect(after.whyDenied(two, 'c', false, 3_000)).toContain('2 times');
  expect(new Blocks(empty).whyDenied(agent({ max_blocks: 0 }), 's', false, 0)).toContain('0 times');
});
