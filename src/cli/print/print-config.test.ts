import { expect, test } from 'vitest';
import { defaultsIn, withConfig } from './print-config.ts';
import type { Call } from '../verb.ts';

test("claude-print's four defaults", () => {
  const file = `# mine
[defaults]
model = "claude-sonnet-4-6" # a string
inherit_hooks = false
max_turns = 1_000
timeout_secs = 60
`;
  expect(defaultsIn(file)).toEqual({
    model: 'claude-sonnet-4-6',
    'no-inherit-hooks': true,
    'max-turns': '1000',
    timeout: '60',
  });
  expect(defaultsIn("[defaults]\nmodel = 'claude-x'\ninherit_hooks = true")).toEqual({ model: 'claude-x' });
  expect(defaultsIn('')).toEqual({});
});

test.each([
  ['[defaults]\nmodle = "claude-x"', 'line 2: unknown key modle'],
  ['[defaults]\ntoString = 1', 'unknown key toString'],
  ['[others]', 'unknown table [others]'],
  ['model = "claude-x"', 'line 1: syntax error'],
  ['[defaults]\nmodel = "gpt"', 'model cannot be "gpt"'],
  ['[defaults]\nmax_turns = 1001', 'max_turns cannot be 1001'],
  ['[defaults]\ntimeout_secs = 1.5', 'timeout_secs cannot be 1.5'],
  ['[defaults]\ninherit_hooks = "no"', 'inherit_hooks cannot be "no"'],
  ['[defaults]\nmodel = [', 'syntax error'],
])('%j is refused', (file, why) => {
  expect(() => defaultsIn(file)).toThrow(why);
});

test('an unreadable file is reported', () => {
  const call = { options: { config: '/nowhere/config.toml' } } as unknown as Call;
  expect(() => withConfig(call)).toThrow(/--config \/nowhere\/config.toml: ENOENT/);
});
