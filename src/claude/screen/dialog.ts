/** A dialog of the CLI as it is on the screen: its title, its text, its options, and all rows of it. */
import { type Menu, menuOf, menuPlace } from './menu.ts';

export interface Dialog {
  /** The first row, such as "Bash command". */
  title: string;
  /** The kind of subagent that asks, where the dialog names it. */
  agent: string | null;
  /** The rows between title and options. */
  body: string[];
  menu: Menu;
  /** The complete label of each option: the width of the pane may break it into several rows. */
  labels: string[];
  /** Every row from the title to the last option, as on the screen. What is below may be painted at any time. */
  rows: string[];
  /** The hints below the options, such as "Esc to cancel · Tab to amend". */
  hints: string;
}

/** Reads the dialog on a screen without colours; null when there is none, or its beginning is not on the screen. */
export const dialogOf = (rows: string[]): Dialog | null => {
  const menu = menuOf(rows.join('\n'));
  const place = menuPlace(rows);
  if (!menu || !place) return null;
  const top = topOf(rows, place.first);
  if (top === null) return null;
  const [title = '', ...body] = rows.slice(top, place.first);
  const below = rows.slice(place.last + 1);
  return {
    title: title
      .replace(/\s+\d+ of \d+$/, '')
      .replace(fromAgent, '')
      .trim(),
    agent: fromAgent.exec(title)?.[1] ?? null,
    body,
    menu,
    labels: labelsOf(rows, place.first, place.last, menu),
    rows: rows.slice(top, place.last + 1).filter(row => row !== ''),
    hints: below
      .filter(row => row.trim() !== '')
      .join(' ')
      .trim(),
  };
};

/** The text of a dialog without white space and without the mark of the selected option. */
export const identityOf = ({ title, body, labels }: Dialog): string =>
  JSON.stringify([
    title,
    body.join('').replace(/[\s╌│]+/g, ''),
    labels.map(label => label.replace(/\s+/g, '')),
  ]);

const fromAgent = / · from the (.+?) agent\b.*$/;

/** The row after the rule that begins the dialog. The plan dialog of 2.1.325 has another rule above its question. */
const topOf = (rows: string[], first: number): number | null => {
  const rule = rows.slice(0, first).findLastIndex(isRule);
  if (rule < 0) return null;
  const isPlanEnd = /^\s*Claude has written up a plan/.test(rows[rule + 1] ?? '');
  return isPlanEnd ? topOf(rows, rule) : rule + 1;
};

const isRule = (row: string): boolean => /^\s*[─━▔]{3}/.test(row);

/** Joins the rows of a label: those below an option that are indented and begin no other option. */
const labelsOf = (rows: string[], first: number, last: number, menu: Menu): string[] => {
  const labels: string[] = [];
  for (let row = first; row < rows.length; row++) {
    const text = (rows[row] ?? '').trim();
    const next = menu.options[labels.length];
    if (next && row <= last && text.endsWith(next.label)) labels.push(next.label);
    else if (text === '' || isRule(rows[row] ?? '')) {
      if (row > last) break;
    } else if (labels.length > 0) labels[labels.length - 1] += ` ${text}`;
  }
  return labels;
};
