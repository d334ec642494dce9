import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configField, configuredClaude } from './config-field.ts';
import { tempHome } from '../testing/home.ts';

test.each([
  ['{"env":{"pass":["A"]}}', ['A']],
  ['{"env":{}}', undefined],
  ['{"env":null}', undefined],
  ['{"env":1}', undefined],
  ['[]', undefined],
  ['null', undefined],
  ['{', undefined],
  [' \n', undefined],
])('the field in %s', (text, field) => {
  const { config } = tempHome();
  writeFileSync(config, text);
  expect(configField(config, ['env', 'pass'])).toEqual(field);
});

test('the path of the CLI is read from a config that the daemon rejects', () => {
  const { config } = tempHome();
  expect(configuredClaude(config)).toBeUndefined();
  writeFileSync(config, '{"claude":"/opt/claude","order":"no such order"}');
  expect(configuredClaude(config)).toBe('/opt/claude');
  writeFileSync(config, '{"claude":1}');
  expect(configuredClaude(config)).toBeUndefined();
});
