import { expect, test } from 'vitest';
import { assertKnown, checkConfig, unknownSetting } from './check-config.ts';

test('a wrong value is a problem with its line', () => {
  const { problems } = checkConfig('{\n  "port": "x",\n  "order": "lifo"\n}', 'f');
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^f: line 2: port: .*; line 3: order: /);
});

test('an unknown field is a warning with the name that was probably meant, also in an object', () => {
  expect(checkConfig('{\n"prot": 1,\n"stalls": {"toolMinute": 3}, "$schema": "x"}', 'f')).toEqual({
    problems: [],
    warnings: [
      'f: line 2: prot: unknown, ignored; did you mean port?',
      'f: line 3: stalls.toolMinute: unknown, ignored; did you mean stalls.toolMinutes?',
    ],
  });
});

test('agents are checked too, and names of models and agents are not fields', () => {
  const text = JSON.stringify({
    agents: [{ agent_id: 'a', own: 1 }, { enabled: true }],
    prices: { 'claude-x': { input: 1, output: 2 } },
  });
  const { problems, warnings } = checkConfig(text, 'f');
  expect(problems.join()).toContain('agents[1].agent_id');
  expect(warnings).toEqual([]);
});

test('a field that has the name of a member of every object is unknown too', () => {
  const { warnings } = checkConfig('{\n"constructor": 1,\n"stalls": {"__proto__": 2}}', 'f');
  expect(warnings).toEqual([
    'f: line 2: constructor: unknown, ignored',
    'f: line 3: stalls.__proto__: unknown, ignored',
  ]);
  for (const name of ['constructor', '__proto__', 'stalls.toString'])
    expect(() => assertKnown(name.split('.'))).toThrow(`${name} is not a setting`);
});

test('a setting that the schema names is known although it is not set; another one is guessed', () => {
  expect(unknownSetting(['notify', 'after'])).toBeNull();
  expect(unknownSetting(['notify', 'aftr'])).toEqual({ guess: 'notify.after' });
  expect(unknownSetting(['nothing-like-it'])).toEqual({ guess: null });
});
