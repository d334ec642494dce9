/** Fills help texts to the width of a terminal. */
import { wrap } from '../../client/text.ts';

/** The width of help texts: the default width of a terminal. */
export const helpWidth = 80;

/** Fills every paragraph. A block with an indented line is a list or an example, whose rows stay rows. */
export const fillText = (text: string, width = helpWidth): string =>
  text
    .split('\n\n')
    .map(block =>
      /^ /m.test(block) ? fillRows(block, width) : wrap(block.replaceAll('\n', ' '), width).join('\n'),
    )
    .join('\n\n');

/** Breaks the second column of a row; further lines begin below it. */
export const fillRow = (left: string, right: string, width = helpWidth): string => {
  // A first column that takes most of the width leaves no room beside it.
  const room = width - left.length;
  return wrap(right, Math.max(room, 30))
    .map((line, at) => (at === 0 ? left : ' '.repeat(left.length)) + line)
    .join('\n');
};

const fillRows = (block: string, width: number): string =>
  block
    .split('\n')
    .map(line => {
      const [, left, right] = /^( {2}\S.*? {2,})(\S.*)$/.exec(line) ?? [];
      return left !== undefined && right !== undefined ? fillRow(left, right, width) : line;
    })
    .join('\n');
