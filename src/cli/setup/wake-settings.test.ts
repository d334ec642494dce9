import { expect, test } from 'vitest';
import { namedSettings } from './wake-settings.ts';

test('settings are set by name, triggers one by one, and a setting can be removed', () => {
  expect(
    namedSettings(
      ['max_blocks=2', 'answer_seconds=1.5', 'triggers.idle_prompt=false', 'max_hops='],
      'bidirectional',
    ),
  ).toEqual({
    hook_mode: 'bidirectional',
    max_blocks: 2,
    answer_seconds: 1.5,
    max_hops: undefined,
    triggers: { idle_prompt: false },
  });
  expect(namedSettings([], undefined)).toEqual({});
});

test.each([
  [['max_blocks'], '--set "max_blocks" is not name=value'],
  [['=2'], '--set "=2" is not name=value'],
  [['max_block=2'], 'unknown setting "max_block"'],
  [['triggers=false'], 'unknown setting "triggers"'],
  [['triggers.stop=false'], 'unknown setting "triggers.stop"'],
  [['max_blocks=9'], 'max_blocks: '],
  [['max_blocks=two'], 'max_blocks: '],
  [['triggers.plan=no'], 'triggers.plan: '],
  [['hook_mode=async'], 'hook_mode is given twice'],
])('%j is refused: %s', (words, why) => {
  expect(() => namedSettings(words, 'bidirectional')).toThrow(why);
});
