/** Questions with two parts, on the screens that 2.1.328 shows one after the other. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dialogOf } from '../../claude/screen/dialog.ts';
import type { Question } from '../../contract/session.ts';
import type { Input } from '../../tmux/input/send-if-shown.ts';
import type { PaneScreen } from '../../tmux/server/pane-screen.ts';
import { answerByKeys } from './screen-questions.ts';
import type { ScreenTask } from './screen-task.ts';
import type { Seen, TerminalScreen } from './terminal-screen.ts';

const screen = (name: string): string[] =>
  readFileSync(new URL(`../../../test/screens/ask2-${name}-2.1.328.txt`, import.meta.url), 'utf8').split(
    '\n',
  );
const questions: Question[] = [
  {
    question: 'Which size?',
    header: 'Size',
    multiSelect: false,
    options: [
      { label: 'Small', description: 'Fits in a pocket' },
      { label: 'Large', description: 'Fits in a cart' },
    ],
  },
  {
    question: 'Which extras?',
    header: 'Extras',
    multiSelect: true,
    options: [
      { label: 'Nuts', description: 'Roasted' },
      { label: 'Milk', description: 'Cold' },
    ],
  },
];
const size = screen('extras').map(row =>
  row
    .replace('☒ Size', '☐ Size')
    .replace('Which extras?', 'Which size?')
    .replace('1. [ ] Nuts', '1. Small')
    .replace('         Roasted', '     Fits in a pocket')
    .replace('2. [ ] Milk', '2. Large')
    .replace('         Cold', '     Fits in a cart')
    .replace('3. [ ] Type something', '3. Type something.'),
);
const first = size.filter(row => row !== '     Submit');
const both = screen('review').map(row => row.replace('Nuts, Milk', 'Nuts'));

/** A dialog that shows the next of these screens after each key. */
const taskOn = (screens: string[][]) => {
  const pressed: Input[] = [];
  const progress: string[] = [];
  const see = (): Promise<Seen> => {
    const rows = screens[pressed.length] ?? [];
    return Promise.resolve({ pane: { rows, width: 80 } as PaneScreen, dialog: dialogOf(rows, 80), at: 0 });
  };
  const terminal = {
    see,
    press: (_: Seen, input: Input) => Promise.resolve(pressed.push(input) > 0),
    until: async (fits: (seen: Seen) => boolean) => {
      const seen = await see();
      return fits(seen) ? seen : null;
    },
  } as unknown as TerminalScreen;
  const task = {
    screen: terminal,
    assertOpen: () => Promise.resolve(),
    isAlone: () => true,
    onPressed: () => {},
    onProgress: (done: number, of: number) => progress.push(`${done} of ${of}`),
  } as unknown as ScreenTask;
  return { task, pressed, progress };
};

const given = new Map([
  ['Which size?', ['Small']],
  ['Which extras?', ['Nuts']],
]);

test('each question by its digits, then the review, which has no sentence of its own', async () => {
  const { task, pressed, progress } = taskOn([first, screen('extras'), screen('nuts'), both, ['● done']]);
  await answerByKeys(task, questions, given);
  expect(pressed).toEqual([{ text: '1' }, { text: '1' }, { key: 'Tab' }, { text: '1' }]);
  expect(progress.at(-1)).toBe('2 of 3');
});

test('an answer that was interrupted goes on from where it stopped', async () => {
  const second = taskOn([screen('nuts'), both, ['● done']]);
  await answerByKeys(second.task, questions, given);
  expect(second.pressed).toEqual([{ key: 'Tab' }, { text: '1' }]);
  const review = taskOn([both, ['● done']]);
  await answerByKeys(review.task, questions, given);
  expect(review.pressed).toEqual([{ text: '1' }]);
});

test('a review of other answers is not submitted', async () => {
  const { task, pressed } = taskOn([screen('review')]);
  await expect(answerByKeys(task, questions, given)).rejects.toThrow('does not show exactly these answers');
  expect(pressed).toEqual([]);
});

test('an older CLI asks a question below the answers; nothing else may stand there', async () => {
  const ending = (said: string) =>
    both.flatMap(row => (row.includes('1. Submit answers') ? [said, '', row] : [row]));
  const review = taskOn([ending('Ready to submit your answers?'), ['● done']]);
  await answerByKeys(review.task, questions, given);
  expect(review.pressed).toEqual([{ text: '1' }]);
  const other = taskOn([ending(' ● Which colour?'), ['● done']]);
  await expect(answerByKeys(other.task, questions, given)).rejects.toThrow('not show exactly these answers');
  expect(other.pressed).toEqual([]);
});

test('a question that is not among those that were asked gets no key', async () => {
  const other = first.map(row => row.replace('Which size?', 'Which colour?'));
  const { task, pressed } = taskOn([other]);
  await expect(answerByKeys(task, questions, given)).rejects.toThrow('The screen changed');
  expect(pressed).toEqual([]);
});
