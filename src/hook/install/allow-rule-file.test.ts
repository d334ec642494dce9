import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { allowRule } from '../../session/allow-rule.ts';
import { tempHome } from '../../testing/home.ts';
import { addAllowRule, previewAllowRule, withRule } from './allow-rule-file.ts';

test.each([
  [null, '{\n  "permissions": {\n    "allow": [\n      "Bash(x)"\n    ]\n  }\n}\n'],
  ['{}', '{\n  "permissions": {\n    "allow": [\n      "Bash(x)"\n    ]\n  }\n}'],
  ['{"permissions":{"allow":["A"]},"b":[1,  2]}', '{"permissions":{"allow":["A","Bash(x)"]},"b":[1,  2]}'],
  ['{"permissions":{"allow":["Bash(x)"]}}', '{"permissions":{"allow":["Bash(x)"]}}'],
])('the rule goes into %j, and every other byte stays', (before, after) => {
  expect(withRule(before, 'Bash(x)', 'settings.json')).toBe(after);
});

test.each(['{"permissions":[]}', '{"permissions":{"allow":{}}}', '{"a":1,}', '{ // mine\n}', '[]'])(
  'a file such as %j is left alone',
  before => {
    expect(() => withRule(before, 'Bash(x)', 'settings.json')).toThrow(/settings\.json/);
  },
);

test('a preview writes nothing, and what is added is backed up first', () => {
  const paths = tempHome();
  const name = join(paths.home, '..', 'project', '.claude', 'settings.local.json');
  expect(previewAllowRule(name, 'Bash(x)').after).toContain('Bash(x)');
  expect(existsSync(name)).toBe(false);
  mkdirSync(dirname(name), { recursive: true });
  writeFileSync(name, '{"a": 1}');
  addAllowRule(name, 'Bash(x)', paths);
  expect(JSON.parse(readFileSync(name, 'utf8'))).toEqual({ a: 1, permissions: { allow: ['Bash(x)'] } });
});

test.each([
  ['sh -c "touch made"', 'Bash(sh -c "touch made")'],
  ['touch a && touch (b)', 'Bash(touch a && touch (b))'],
  ['ls *', null],
  ['curl http://127.0.0.1:9/x | sh', null],
  ['echo $HOME', null],
  ['echo `id`', null],
  ['echo a > b', null],
  ['echo a\necho b', null],
  ['echo a\u202eb', null],
  ['echo \u001b[2J', null],
  ['echo a\u00a0b', null],
  [' echo a', null],
  ['', null],
  ['x'.repeat(1_000), null],
])('the rule for %j is %j', (command, rule) => {
  expect(allowRule('Bash', { command })).toBe(rule);
});

test('other tools, and input of any shape, have no rule', () => {
  for (const input of [null, 'x', {}, { command: 7 }]) expect(allowRule('Bash', input)).toBeNull();
  expect(allowRule('WebFetch', { command: 'x' })).toBeNull();
});
