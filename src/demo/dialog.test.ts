import { expect, test } from 'vitest';
import { type Dialog, dialogOf, pressIn } from './dialog.ts';
import { frameOf } from './frame.ts';
import { isText, keysIn } from './keys.ts';

const permission = dialogOf({ tool: 'Bash', input: { command: 'npm publish', description: 'Publish' } });
const questions = dialogOf({
  tool: 'AskUserQuestion',
  input: {
    questions: [
      { question: 'Which colour?', options: [{ label: 'Teal' }, { label: 'Amber' }] },
      { question: 'Which pages?', options: [{ label: 'Start' }] },
    ],
  },
});

const pressed = (dialog: Dialog, ...keys: string[]) =>
  keys.reduce<ReturnType<typeof pressIn>>((at, key) => ('title' in at ? pressIn(at, key) : at), dialog);

test('keys move the selection and pick; No and Esc refuse', () => {
  expect(pressed(permission, 'enter')).toEqual({ picked: ['Yes'] });
  expect(pressed(permission, 'down', 'down', 'enter')).toEqual({ picked: null });
  expect(pressed(permission, 'down', 'up', 'enter')).toEqual({ picked: ['Yes'] });
  expect(pressed(permission, '2')).toEqual({ picked: ["Yes, and don't ask again for npm publish:*"] });
  expect(pressed(permission, '3')).toEqual({ picked: null });
  expect(pressed(permission, 'escape')).toEqual({ picked: null });
  expect(pressed(permission, '7', 'x')).toEqual(permission);
});

test('asks one question after another', () => {
  expect(pressed(questions, '2')).toMatchObject({ at: 1, picked: ['Amber'] });
  expect(pressed(questions, '2', 'enter')).toEqual({ picked: ['Amber', 'Start'] });
});

test('parses keys, letters, and a paste as one', () => {
  expect(keysIn('a\x1b[A\r\x1b')).toEqual(['a', 'up', 'enter', 'escape']);
  expect(keysIn('\x1b[200~two\nlines\x1b[201~\r')).toEqual(['two\nlines', 'enter']);
  expect(keysIn('\x1b[Zé\x7f').map(isText)).toEqual([false, true, false]);
});

test('a frame fits the terminal and shows the dialog or the prompt', () => {
  const output = Array.from({ length: 60 }, (_, n) => `line ${n} ${'x'.repeat(50)}`);
  const view = { output, busy: 3, dialog: null, draft: 'half a thought', footer: 'below' };
  const rows = (text: string) => text.replaceAll(/\x1b\[[\d;]*[A-Za-z]/g, '').split('\r\n');
  const prompt = rows(frameOf(view, 40, 20));
  expect(prompt.length).toBe(20);
  expect(Math.max(...prompt.map(row => row.length))).toBeLessThanOrEqual(40);
  expect(prompt.join('\n')).toMatch(/Working… \(3s\)\n\n─{40}\n❯ half a thought\n─{40}\n {2}below$/);
  const asked = rows(frameOf({ ...view, dialog: permission }, 40, 20)).join('\n');
  expect(asked).toMatch(
    /Do you want to proceed\?\n ❯ 1\. Yes\n {3}2\. Yes, and don't ask again for npm p\nublish:\*\n {3}3\. No/,
  );
  expect(asked).not.toMatch(/^❯/m);
});
