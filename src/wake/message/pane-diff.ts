/** Find what a pane shows now that it did not show before. */

/** The lines of `now` that are not in `before`, in order, as `diff` finds them. */
export const newLines = (before: string[], now: string[]): string[] => {
  // common[i][j]: length of the longest common subsequence of before from i and now from j.
  const common = Array.from({ length: before.length + 1 }, () =>
    Array.from({ length: now.length + 1 }, () => 0),
  );
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      (common[i] as number[])[j] =
        before[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const added: string[] = [];
  let i = 0;
  let j = 0;
  while (j < now.length) {
    if (i < before.length && before[i] === now[j]) {
      i++;
      j++;
    } else if (i < before.length && at(i + 1, j) >= at(i, j + 1)) i++;
    else added.push(now[j++] as string);
  }
  return added;
};

/** Return the last lines of a capture, without the empty ones below the text. */
export const lastLines = (text: string, count: number): string[] => {
  const lines = text.split('\n').map(line => line.trimEnd());
  while (lines.length && lines.at(-1) === '') lines.pop();
  return lines.slice(-count);
};
