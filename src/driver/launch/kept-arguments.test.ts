import { expect, test } from 'vitest';
import { isAmbiguous, keptArguments } from './kept-arguments.ts';

const kept = (line: string, permissionMode: string | null = null) =>
  keptArguments(['/usr/bin/claude', ...line.split(' '), ''], { permissionMode }).join(' ');

test.each([
  ['--model opus fix_it', '--model opus'],
  ['fix_it --resume aaaa --verbose', '--verbose'],
  ['--settings=/s.json --add-dir a b --verbose', '--settings=/s.json --add-dir a b --verbose'],
  ['--session-id x --name y --worktree z', ''],
  ['--unknown value -c', ''],
  ['--permission-mode plan', '--permission-mode plan'],
  ['--permission-mode=plan', '--permission-mode plan'],
  ['--dangerously-skip-permissions', '--dangerously-skip-permissions'],
])('%s', (line, expected) => {
  expect(kept(line)).toBe(expected);
});

test('the mode is the one that the session is in', () => {
  expect(kept('--permission-mode plan', 'acceptEdits')).toBe('--permission-mode acceptEdits');
  expect(kept('--dangerously-skip-permissions', 'bypassPermissions')).toBe('--dangerously-skip-permissions');
  expect(kept('--dangerously-skip-permissions', 'default')).toBe(
    '--dangerously-skip-permissions --permission-mode default',
  );
});

test('a prompt with spaces is one argument and is not kept', () => {
  expect(keptArguments(['claude', '--model', 'opus', 'do --add-dir x'], { permissionMode: null })).toEqual([
    '--model',
    'opus',
  ]);
});

test.each([
  ['claude --model opus fix the tests', false],
  ['claude --settings /a/settings.json --permission-mode plan do it', false],
  ['claude --settings /a/settings.json do it', true],
  ['claude --append-system-prompt be brief', true],
  ['claude --append-system-prompt=be brief', true],
  ['claude --settings={"a": 1}', true],
  ['claude --allowedTools Bash(git log:*) Edit', true],
  ['claude --allowedTools Bash(git:*) Edit', false],
  ['claude --add-dir /a /b --verbose', false],
])('words that were joined by spaces: %s is ambiguous: %s', (line, expected) => {
  expect(isAmbiguous(line.split(' '))).toBe(expected);
});
