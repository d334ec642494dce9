/** Fills help texts to the width of a terminal. */

/** The width of help texts: that of a terminal nobody has resized. */
export const helpWidth = 80;

/** Fills every paragraph. A block with an indented line is a list or an example, whose rows stay rows. */
export const fillText = (text: string, width = helpWidth): string =>
  text
    .split('\n\n')
    .map(block => (/^ /m.test(block) ? fillRows(block, width) : breakWords(block, width).join('\n')))
    .join('\n\n');

/** Breaks the second column of a row; further lines begin below it. */
export const fillRow = (left: string, right: string, width = helpWidth): string => {
  // A first column that takes most of the width leaves no room beside it.
  const room = width - left.length;
  return breakWords(right, Math.max(room, 30))
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

const breakWords = (text: string, width: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
};
