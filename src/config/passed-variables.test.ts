import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  daemonEnvironment,
  readPassedNames,
  sessionEnvironment,
  sessionVariables,
  withoutSessionVariables,
} from './passed-variables.ts';
import { tempHome } from '../testing/home.ts';

const env = {
  HOME: '/h',
  PATH: '/bin',
  LC_ALL: 'C',
  EDITOR: 'vi',
  ANTHROPIC_API_KEY: 'k',
  CLAUDE_CODE_USE_BEDROCK: '1',
  CLAUDE_CODE_SKIP_VERTEX_AUTH: '1',
  CLAUDE_CODE_SKIP_PROMPT_HISTORY: '1',
  CLAUDE_CODE_SESSION_ID: 's',
  AWS_REGION: 'eu',
  https_proxy: 'p',
  NODE_EXTRA_CA_CERTS: '/ca',
  NODE_OPTIONS: '--x',
  MINE: 'm',
  EMPTY: undefined,
};

const passed = [
  'ANTHROPIC_API_KEY',
  'AWS_REGION',
  'CLAUDE_CODE_SKIP_VERTEX_AUTH',
  'CLAUDE_CODE_USE_BEDROCK',
  'NODE_EXTRA_CA_CERTS',
  'https_proxy',
];

test('sessions get authentication, provider, proxy and certificates, and what the config names', () => {
  expect(Object.keys(sessionEnvironment(env, [])).sort()).toEqual(passed);
  expect(sessionEnvironment(env, ['MINE', 'EMPTY'])).toMatchObject({ MINE: 'm', ANTHROPIC_API_KEY: 'k' });
});

test('a background daemon gets them besides its own, and nothing else of the shell', () => {
  expect(Object.keys(daemonEnvironment(env, ['MINE'])).sort()).toEqual(
    [...passed, 'HOME', 'LC_ALL', 'MINE', 'PATH'].sort(),
  );
});

test('a tmux server gets none of them, and keeps what it needs itself', () => {
  expect(Object.keys(withoutSessionVariables(env, ['MINE', 'PATH'])).sort()).toEqual([
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_SKIP_PROMPT_HISTORY',
    'EDITOR',
    'HOME',
    'LC_ALL',
    'NODE_OPTIONS',
    'PATH',
  ]);
});

test.each([
  ['{"env":{"pass":["A","B_2"]}}', ['A', 'B_2']],
  ['{"env":{"pass":["A","x; rm","*",1]}}', ['A']],
  ['{"env":{"pass":"A"}}', []],
  ['{"env":1}', []],
  ['null', []],
  ['{', []],
])('names in %s', (text, names) => {
  const { config } = tempHome();
  writeFileSync(config, text);
  expect(readPassedNames(config)).toEqual(names);
});

test('the guide lists every pattern', () => {
  const guide = readFileSync(new URL('../../docs/guides/hub.md', import.meta.url), 'utf8');
  for (const pattern of Object.values(sessionVariables).flat()) expect(guide).toContain(`\`${pattern}\``);
});
