import { expect, test } from 'vitest';
import { claudeFlags } from './print-flags.ts';
import { aliasArgs } from '../alias-args.ts';
import type { Call } from '../verb.ts';

const flags = (options: Call['options'], rest: string[] = []) =>
  claudeFlags({ options, rest } as unknown as Call);

test('every flag is passed with `=`, so that none swallows the prompt', () => {
  const given = {
    model: 'm',
    allowedTools: 'Bash(git:*),Edit',
    'append-system-prompt': '-be brief',
    continue: true,
    'add-dir': ['/a', '/b'],
    'mcp-config': ['a.json,b.json', '{"mcpServers":{"a":{},"b":{}}}'],
    'dangerously-skip-permissions': true,
  };
  expect(flags(given, ['--effort', 'high'])).toEqual({
    settings: null,
    resumes: true,
    flags: [
      '--model=m',
      '--allowedTools=Bash(git:*),Edit',
      '--append-system-prompt=-be brief',
      '--continue',
      '--dangerously-skip-permissions',
      '--add-dir=/a',
      '--add-dir=/b',
      '--strict-mcp-config',
      '--mcp-config=a.json',
      '--mcp-config=b.json',
      '--mcp-config={"mcpServers":{"a":{},"b":{}}}',
      '--effort',
      'high',
    ],
  });
});

test('settings after -- are extracted for merging, and resuming flags are recognised', () => {
  expect(flags({}, ['--settings', 'a.json', '--x'])).toEqual({
    settings: 'a.json',
    flags: ['--x'],
    resumes: false,
  });
  expect(flags({}, ['--settings={}'])).toMatchObject({ settings: '{}', flags: [] });
  expect(flags({ resume: 'id' })).toMatchObject({ resumes: true, flags: ['--resume=id'] });
  expect(flags({}, ['-r', 'id'])).toMatchObject({ resumes: true });
  expect(() => flags({}, ['-p'])).toThrow('claude -p');
});

test('claude-print is print that trusts its folder for the run', () => {
  expect(aliasArgs(['node', '/usr/bin/claude-print', 'hi', '-o', 'json'])).toEqual([
    'print',
    '--trust-once',
    '--trust-fallback',
    'hi',
    '-o',
    'json',
  ]);
  expect(aliasArgs(['node', '/usr/lib/drover/dist/main.js', 'up'])).toEqual(['up']);
});
