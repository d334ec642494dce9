/** Auto mode without its check, on recorded screens. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dialogOf } from './dialog.ts';
import { permissionOptions } from './dialog-options.ts';
import { sessionDialog } from './dialogs.ts';
import { noticeOf } from './notice.ts';

const screen = (name: string): string[] =>
  readFileSync(new URL(`../../../test/screens/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .map(row => row.trimEnd());
const title = "Auto mode can't check actions in this session";

test('the notice has a name, its text and the keys that close it', () => {
  const notice = noticeOf(screen('auto-notice-2.1.328'), 80);
  expect(notice).toMatchObject({
    title,
    keys: [
      { key: 'Enter', label: 'stay in auto mode' },
      { key: 'BTab', label: 'leave for accept edits mode and stop' },
      { key: 'Escape', label: 'cancel' },
    ],
  });
  expect(notice?.text).toContain('You can stay in auto mode and approve each action');
  expect(sessionDialog(screen('auto-notice-2.1.328'), 80)).toBe(title);
});

test.each([
  'auto-hookless-2.1.328',
  'permission-2.1.325',
  'question-2.1.325',
  'ready-2.1.325',
  'trust-2.1.325',
  'model-2.1.325',
])('%s is no notice', name => {
  expect(noticeOf(screen(name), name.startsWith('auto') ? 80 : 40)).toBeNull();
});

test('the permission after it has No first, and no numbers', () => {
  for (const name of ['auto-hookless-2.1.328', 'auto-hookless-down-2.1.328']) {
    const dialog = dialogOf(screen(name), 80);
    expect(dialog && permissionOptions(dialog).map(({ choice, index }) => [choice, index])).toEqual([
      ['deny', 0],
      ['allow', 1],
    ]);
  }
});
