/** Find what a pane shows now that it did not show before. */

import { diffLines } from '../../line-diff.ts';

/** Return the lines of `now` that are new since `before`, in order. */
export const newLines = (before: string[], now: string[]): string[] =>
  diffLines(before, now).flatMap(({ sign, line }) => (sign === '+' ? [line] : []));

/** Return the last lines of a capture, without the empty ones below the text. */
export const lastLines = (text: string, count: number): string[] => {
  const lines = text.split('\n').map(line => line.trimEnd());
  while (lines.length && lines.at(-1) === '') lines.pop();
  return lines.slice(-count);
};
