/** Menus, on screens captured from both versions. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Menu, menuOf, takesText } from './menu.ts';

const screen = (name: string): string[] =>
  readFileSync(new URL(`../../../test/screens/${name}.txt`, import.meta.url), 'utf8').split('\n');
const menuIn = (text: string): Menu | null => menuOf(text.split('\n'), 40);
const labels = (menu: Menu | null) => menu?.options.map(({ label }) => label);
const selected = (menu: Menu | null) => menu?.options.find(option => option.selected)?.label;
const rule = '─'.repeat(40);

describe.each(['2.1.197', '2.1.325'])('Claude Code %s', version => {
  test('a permission', () => {
    const menu = menuOf(screen(`permission-${version}`), 40);
    expect(menu).toMatchObject({ title: 'Do you want to proceed?', tabs: [] });
    expect(menu?.options[0]).toEqual({ number: 1, label: 'Yes', selected: false, checked: null });
    expect(menu?.options.at(-1)?.label).toBe('No');
    expect(selected(menu)).toContain('Yes, and always allow access');
    expect(menu?.text).toContain('touch made');
  });

  test('a question, with and without text typed into it', () => {
    const menu = menuOf(screen(`question-${version}`), 40);
    expect(menu).toMatchObject({ title: 'Which size?', tabs: [{ label: 'Size', answered: false }] });
    expect(labels(menu)).toEqual(['Small', 'Large', 'Type something.', 'Chat about this']);
    expect(menu?.options.map(takesText)).toEqual([false, false, true, false]);
    expect(selected(menuOf(screen(`question-typed-${version}`), 40))).toBe('as big, as a barn');
  });

  test('a question with several answers, and the end of a row of questions', () => {
    const menu = menuOf(screen(`extras-${version}`), 40);
    expect(menu).toMatchObject({
      title: 'Which extras?',
      tabs: [
        { label: 'Size', answered: true },
        { label: 'Extras', answered: false },
      ],
    });
    expect(menu?.options.map(({ number, label, checked }) => [number, label, checked])).toEqual([
      [1, 'Nuts', false],
      [2, 'Milk', false],
      [3, 'Type something', false],
      [null, 'Submit', null],
      [4, 'Chat about this', null],
    ]);
    const end = menuOf(screen(`extras-submit-${version}`), 40);
    expect(selected(end)).toBe('Submit');
    expect(end?.options.map(({ checked }) => checked)).toEqual([true, false, true, null, null]);
    const review = menuOf(screen(`review-${version}`), 40);
    expect([review?.title, labels(review)]).toEqual([
      'Ready to submit your answers?',
      ['Submit answers', 'Cancel'],
    ]);
  });

  test('a plan, whose own list is not an option, and a picker', () => {
    const menu = menuOf(screen(`plan-${version}`), 40);
    expect(menu?.title).toContain('Would you like to proceed?');
    expect(labels(menu)).toEqual([
      'Yes, and use auto mode',
      'Yes, manually approve edits',
      'Tell Claude what to change',
    ]);
    expect(menuOf(screen(`model-${version}`), 40)?.options).toHaveLength(5);
  });

  test('start-up dialogs with and without numbers; an idle prompt is not a menu', () => {
    expect(labels(menuOf(screen(`trust-${version}`), 40))?.toSorted()).toEqual([
      'No, exit',
      'Yes, I trust this folder',
    ]);
    expect(menuOf(screen(`ready-${version}`), 40)).toBeNull();
  });
});

test('history, an answer or a draft that looks like a menu is not one', () => {
  const prompt = `${rule}\n❯ \n${rule}\n  ? for shortcuts\n`;
  expect(menuIn(`● You can\n  1. wait\n  2. go\n${prompt}`)).toBeNull();
  expect(menuIn(`● It said\n  ❯ 1. Yes\n    2. No\n${prompt}`)).toBeNull();
  expect(menuIn(`${rule}\n❯ 1. first\n  2. second\n${rule}\n  ? for shortcuts\n`)).toBeNull();
  expect(menuIn('')).toBeNull();
  expect(menuIn('$ claude\n')).toBeNull();
});

test('a stale caret at Submit is not the selection', () => {
  const menu = menuIn(
    'Which?\n\n  1. [✔] Nuts\n  2. [ ] Type something\n❯    Submit\n────\n❯ 3. Chat about this\n',
  );
  expect(selected(menu)).toBe('Chat about this');
});
