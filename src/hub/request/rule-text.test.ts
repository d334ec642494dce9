import { expect, test } from 'vitest';
import { ruleText } from './rule-text.ts';

test('the rule is named exactly, with the place where it is stored', () => {
  const bash = { toolName: 'Bash', ruleContent: 'npm test:*' };
  expect(
    ruleText([
      {
        type: 'addRules',
        rules: [bash, { toolName: 'Read' }],
        behavior: 'allow',
        destination: 'localSettings',
      },
    ]),
  ).toBe('Bash(npm test:*), Read (in this project, for you)');
  expect(
    ruleText([
      { type: 'addDirectories', directories: ['/srv/data'], destination: 'session' },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ]),
  ).toBe('access to /srv/data (for this session); permission mode acceptEdits (for this session)');
});

test('an unknown update is shown as it is', () => {
  expect(ruleText([])).toBe('');
  expect(ruleText([{ type: 'new', x: 1 }])).toBe('{"type":"new","x":1}');
});
