/** Keys are pressed only in the dialog that the caller means. */
import { expect, test } from 'vitest';
import { type Menu, menuOf } from '../../claude/screen/menu.ts';
import { isSameMenu } from './menu-option.ts';
import { assertShows, type Screen } from './screen.ts';

const rule = '─'.repeat(40);
const screenWith = (command: string) =>
  [
    '● Bash(npm test)',
    '● Task(push it)',
    rule,
    ' Bash command',
    '',
    `   ${command}`,
    '',
    ' Do you want to proceed?',
    ' ❯ 1. Yes',
    '   2. No',
    '',
    ' Esc to cancel',
  ].join('\n');

const menuIn = (screen: string) => menuOf(screen.split('\n'), 40);

const seen = (command: string): Screen => {
  const screen = screenWith(command);
  return { seen: {} as Screen['seen'], text: screen, menu: menuIn(screen), prompt: null };
};

test('an expected text must be in the dialog; the rows above it may show another request', () => {
  expect(() => assertShows(seen('git push --force'), 'npm test')).toThrow(
    'The dialog does not show "npm test".',
  );
  for (const text of ['git push --force', 'Do you want to proceed?', 'Esc to cancel'])
    expect(() => assertShows(seen('git push --force'), text)).not.toThrow();
  expect(() => assertShows({ ...seen('git push --force'), menu: null }, 'npm test')).not.toThrow();
});

test('two dialogs with the same options are not the same when they ask for something else', () => {
  const [first, second] = [seen('npm test').menu as Menu, seen('git push --force').menu as Menu];
  const moved = menuIn(screenWith('npm test').replace(' ❯ 1. Yes\n   2. No', '   1. Yes\n ❯ 2. No')) as Menu;
  expect([isSameMenu(first, second), isSameMenu(first, moved)]).toEqual([false, true]);
});
