/** Checks the diff in a dialog of the CLI: applied to the current file, it must give exactly the wanted text. */
import { withoutSpace } from './without-space.ts';

/** Whether these rows are the complete diff from one text to another. White space at line ends and inside lines does not count. */
export const isDiffTo = (rows: string[], before: string, after: string): boolean => {
  const diff = parse(rows);
  if (!diff || diff.length === 0) return false;
  const old = linesOf(before);
  const removed = diff.filter(({ sign }) => sign === '-');
  if (!removed.every(({ number, text }) => old[number - 1] === text)) return false;
  const gone = new Set(removed.map(({ number }) => number));
  const kept = old.filter((_, n) => !gone.has(n + 1));
  const added = new Map(diff.filter(({ sign }) => sign === '+').map(({ number, text }) => [number, text]));
  const wanted = linesOf(after);
  if (kept.length + added.size !== wanted.length) return false;
  let next = 0;
  return wanted.every((line, n) => (added.has(n + 1) ? added.get(n + 1) : kept[next++]) === line);
};

interface Row {
  number: number;
  sign: string;
  text: string;
}

/** The numbered rows, each with the rows that the width of the pane broke off. Null when it is not a diff. */
const parse = (rows: string[]): Row[] | null => {
  const found: Row[] = [];
  const first = /^(\s*\d+ )[ +-]/.exec(rows[0] ?? '');
  const gutter = first?.[1]?.length ?? 0;
  if (gutter === 0) return null;
  for (const row of rows) {
    const number = row.slice(0, gutter);
    if (/^\s*\d+ ?$/.test(number))
      found.push({
        number: Number(number),
        sign: row[gutter] ?? ' ',
        text: withoutSpace(row.slice(gutter + 1)),
      });
    else if (/^\s*$/.test(number) && found.length > 0) {
      const line = found.at(-1) as Row;
      // The sign of a changed line is repeated in each of its rows.
      const isSigned = line.sign !== ' ' && row[gutter] === line.sign;
      line.text += withoutSpace(row.slice(isSigned ? gutter + 1 : gutter));
    } else if (!/^\s*(?:\.\.\.|…)\s*$/.test(row)) return null;
  }
  return found;
};

/** Whether these rows are a new file with this text, each line with its number. */
export const isNewFile = (rows: string[], text: string): boolean => {
  const gutter = /^ *1 /.exec(rows[0] ?? '')?.[0].length ?? 0;
  if (gutter === 0) return false;
  const shown: string[] = [];
  for (const row of rows) {
    const number = row.slice(0, gutter).trim();
    if (number === String(shown.length + 1)) shown.push(withoutSpace(row.slice(gutter)));
    else if (number === '') shown.push((shown.pop() ?? '') + withoutSpace(row.slice(gutter)));
    else return false;
  }
  const lines = text.split('\n').map(withoutSpace);
  // The line after a final newline may be shown or not.
  const ends = lines.at(-1) === '' ? [lines, lines.slice(0, -1)] : [lines];
  return ends.some(one => JSON.stringify(one) === JSON.stringify(shown));
};

/** The lines without white space. A final newline begins no line. */
const linesOf = (text: string): string[] => {
  const lines = text.split('\n').map(withoutSpace);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};
