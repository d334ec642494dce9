/**
 * A dialog of the CLI as it is on the screen: its title, its text, its options, and all rows of it. The model controls most of the
 * text in it and can draw another dialog there. So a dialog begins at the rule over the whole width of the pane, and is not read if
 * anything else between that and the options looks like one.
 */
import { type Menu, menuOf, menuPlace } from './menu.ts';
import { dialogTop, isFullDotted, isFullRule, looksLikeRule } from './rule.ts';

export interface Dialog {
  /** The first row, such as "Bash command". */
  title: string;
  /** The kind of subagent that asks, where the dialog names it. */
  agent: string | null;
  /** The rows between title and options. */
  body: string[];
  /** The rows between the two dotted lines, and those above and below them; null where there are none. */
  frame: Frame | null;
  menu: Menu;
  /** The complete label of each option: the width of the pane may break it into several rows. */
  labels: string[];
  /** Whether it asks a question of the model: a rule separates the last option, which is to chat about it. */
  isQuestion: boolean;
  /** Every row from the title to the last option, as on the screen. What is below may be painted at any time. */
  rows: string[];
  /** The hints below the options, such as "Esc to cancel · Tab to amend". */
  hints: string;
}

export interface Frame {
  before: string[];
  inside: string[];
  after: string[];
}

/** Reads the dialog on a screen of this width, without colours; null when there is none, or when it cannot be told where it begins. */
export const dialogOf = (rows: string[], width: number): Dialog | null => {
  const menu = menuOf(rows, width);
  const place = menuPlace(rows);
  if (!menu || !place) return null;
  const top = dialogTop(rows, place.first, width);
  // A low pane may show only the last options.
  if (top === null || (menu.options[0]?.number ?? 1) !== 1) return null;
  const [title = '', ...body] = rows.slice(top, place.first);
  // The plan dialog of 2.1.325 has a rule below its plan.
  const isPlanEnd = (row: string, n: number) => isFullRule(row, width) && hasFrameAbove(body, n, width);
  if (body.some((row, n) => looksLikeRule(row) && !isPlanEnd(row, n))) return null;
  const below = rows.slice(place.last + 1);
  const separator = rows.slice(place.first, place.last + 1).findIndex(row => isFullRule(row, width));
  return {
    title: title
      .replace(/\s+\d+ of \d+$/, '')
      .replace(fromAgent, '')
      .trim(),
    agent: fromAgent.exec(title)?.[1] ?? null,
    body,
    frame: frameOf(body, width),
    menu,
    labels: labelsOf(rows, place, menu, width),
    isQuestion: separator >= 0,
    rows: rows.slice(top - 1, place.last + 1).filter(row => row !== ''),
    hints: below
      .filter(row => row.trim() !== '')
      .join(' ')
      .trim(),
  };
};

/** The text of a dialog without white space, the mark of the selected option, and the countdown that may stand below the call. */
export const identityOf = ({ title, body, frame, labels }: Dialog): string =>
  JSON.stringify([
    title,
    (frame ? [...frame.before, ...frame.inside, frame.after.join('').replace(/\d{1,2}:[0-5]\d/g, '')] : body)
      .join('')
      .replace(/[\s─╌│]+/g, ''),
    labels.map(label => label.replace(/\s+/g, '')),
  ]);

const fromAgent = / · from the (.+?) agent\b.*$/;

const hasFrameAbove = (body: string[], at: number, width: number): boolean =>
  isFullDotted(body.slice(0, at).findLast(row => row.trim() !== '') ?? '', width);

/** The rows between the first dotted line and the last one. Only the CLI paints these over the whole width. */
const frameOf = (body: string[], width: number): Frame | null => {
  const first = body.findIndex(row => isFullDotted(row, width));
  const last = body.findLastIndex(row => isFullDotted(row, width));
  if (first < 0 || last <= first) return null;
  return { before: body.slice(0, first), inside: body.slice(first + 1, last), after: body.slice(last + 1) };
};

/** Joins the rows of each label: the row of the option, and those below it up to the next option, a rule or an empty row. */
const labelsOf = (rows: string[], { at }: { at: number[] }, menu: Menu, width: number): string[] =>
  menu.options.map(({ label }, n) => {
    const next = rows.slice((at[n] ?? 0) + 1, at[n + 1]);
    const end = next.findIndex(row => row.trim() === '' || isFullRule(row, width));
    const more = end < 0 ? next : next.slice(0, end);
    return [label, ...more.map(row => row.trim())].join(' ');
  });
