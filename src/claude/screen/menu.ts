/**
 * Reads a menu of the CLI from a screen: a permission, a question, a plan, a picker. Only the rows count, so that keys fit what
 * is really shown. Text that only looks like a menu (an answer, a draft in the prompt line) is not one.
 */

import { dialogTop, looksLikeRule } from './rule.ts';

export interface MenuOption {
  /** Its number; null for a row without one, such as Submit. */
  number: number | null;
  label: string;
  selected: boolean;
  /** Whether it is ticked; null in a menu that takes one answer. */
  checked: boolean | null;
}

export interface Menu {
  /** The row above the options, usually a question. */
  title: string | null;
  /** The questions of the dialog, one tab each. */
  tabs: { label: string; answered: boolean }[];
  /** In screen order: Down goes to the next. */
  options: MenuOption[];
  /** The dialog's text above its options. */
  head: string;
  /** The whole dialog without the hints below it. A different text means a different dialog, or a change in it. */
  text: string;
}

/** Reads the rows of a screen of this width, without colours; null when it shows no menu. */
export const menuOf = (screen: string[], width: number): Menu | null => {
  const rows = screen.map(row => row.trimEnd());
  const found = findMenu(rows);
  if (!found) return null;
  const { first, last, options } = found;
  const top = dialogTop(rows, first, width) ?? 0;
  const above = rows.slice(top, first);
  return {
    title: above.findLast(row => row.trim() !== '' && !isTabs(row))?.trim() ?? null,
    tabs: tabsOf(above),
    options,
    head: above
      .filter(row => !isTabs(row))
      .join('\n')
      .trim(),
    text: rows
      .slice(top, last + 1)
      .join('\n')
      .trim(),
  };
};

/** The rows of the first and the last option, and of each one; null when the screen shows no menu. */
export const menuPlace = (rows: string[]): { first: number; last: number; at: number[] } | null =>
  findMenu(rows.map(row => row.trimEnd()));

const findMenu = (rows: string[]): Found | null => {
  const found = numbered(rows) ?? unnumbered(rows);
  return found && !isDraft(rows, found) && !hasPromptBelow(rows, found) ? found : null;
};

/** Whether an option takes free text. */
export const takesText = ({ label }: MenuOption): boolean =>
  /^Type something\.?$/.test(label) || label.startsWith('Tell Claude what to change');

interface Found {
  first: number;
  last: number;
  /** The row of each option. */
  at: number[];
  options: MenuOption[];
}

/** 2.1.197 leaves out the space after the number of an option that is wider than the pane. */
const option =
  /^(?<before> *(?<caret>❯)? *)(?<number>\d{1,2})\.(?:\s+|(?=Yes\b|No\b))(?:\[(?<mark>.)\]\s+)?(?<label>\S.*)$/;
const submit = /^(?<before>\s*)(?<caret>❯)?\s+(?<label>Submit|Next)$/;

/** Numbered rows, up to the last one on the screen, in one column and with a caret at one of them. */
const numbered = (rows: string[]): Found | null => {
  const numberedRows = rows.map(row => option.exec(row)?.groups);
  const last = numberedRows.findLastIndex(one => one !== undefined);
  if (last < 0) return null;
  // A text that is broken at the edge of the pane may begin with a number too, but stands further right.
  const read = numberedRows.map(one => (isAligned(one, numberedRows[last]) ? one : undefined));
  let first = last;
  for (let wanted = Number(read[last]?.number) - 1, row = last - 1; wanted > 0 && row >= 0; row--) {
    if (Number(read[row]?.number) !== wanted) continue;
    first = row;
    wanted--;
  }
  const options: MenuOption[] = [];
  const at: number[] = [];
  let selected = -1;
  for (let row = first; row <= last; row++) {
    const one = read[row];
    const bare = one ? undefined : submit.exec(rows[row] ?? '')?.groups;
    if (!one && !bare) continue;
    // 2.1.197 leaves a caret at Submit when the selection moves below it: the last caret counts.
    if (one?.caret ?? bare?.caret) selected = options.length;
    options.push(optionOf({ ...one, ...bare }));
    at.push(row);
  }
  if (!isCounted(options)) return null;
  const chosen = options[selected];
  if (!chosen) return null;
  chosen.selected = true;
  return { first, last, at, options };
};

/** Whether the numbers follow each other. */
const isCounted = (options: MenuOption[]): boolean => {
  const numbers = options.flatMap(({ number }) => (number === null ? [] : [number]));
  return numbers.every((number, n) => number === (numbers[0] ?? 0) + n);
};

type Groups = Record<string, string | undefined> | undefined;

/** Whether two numbers stand in one column. Those with two digits may be aligned at either end. */
const isAligned = (a: Groups, b: Groups): boolean => {
  const from = (one: Groups) => one?.before?.length ?? -1;
  const to = (one: Groups) => from(one) + (one?.number?.length ?? 0);
  return from(a) === from(b) || to(a) === to(b);
};

const optionOf = ({ number, label, mark }: Record<string, string | undefined>): MenuOption => ({
  number: number === undefined ? null : Number(number),
  label: (label ?? '').trim(),
  selected: false,
  checked: mark === undefined ? null : mark !== ' ',
});

/** Some start-up menus have no numbers: rows with their text in one column, one of them with a caret. */
const unnumbered = (rows: string[]): Found | null => {
  const at = rows.findLastIndex(row => /^\s+❯\s+\S/.test(row));
  if (at < 0) return null;
  const caret = (rows[at] ?? '').indexOf('❯');
  const isOption = (row: string | undefined) =>
    row !== undefined && new RegExp(`^\\s{${caret}}[ ❯] {1,3}\\S`).test(row);
  let [first, last] = [at, at];
  while (isOption(rows[first - 1])) first--;
  while (isOption(rows[last + 1])) last++;
  if (first === last) return null;
  const options = rows.slice(first, last + 1).map((row, n) => ({
    number: n + 1,
    label: row.slice(caret + 1).trim(),
    selected: first + n === at,
    checked: null,
  }));
  return { first, last, at: options.map((_, n) => first + n), options };
};

/** A draft may begin with a number too: the prompt line has a rule right above it. */
const isDraft = (rows: string[], { first, options }: Found): boolean =>
  looksLikeRule(rows[first - 1] ?? '') && (rows[first] ?? '').startsWith('❯') && options[0]?.number === 1;

/** There is a prompt line below, so what looks like a menu is history. */
const hasPromptBelow = (rows: string[], { last }: Found): boolean =>
  rows.some((row, n) => n > last && row.startsWith('❯') && looksLikeRule(rows[n - 1] ?? ''));

const isTabs = (row: string): boolean => /^\s*(?:←\s+)?[☐☒]\s/.test(row);

const tabsOf = (rows: string[]): Menu['tabs'] =>
  [...(rows.find(isTabs) ?? '').matchAll(/([☐☒])\s+(.+?)(?=\s{2,}|\s*$)/g)].map(([, mark, label = '']) => ({
    label,
    answered: mark === '☒',
  }));
