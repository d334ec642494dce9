/** Compares two texts line by line. */

export interface Step {
  sign: ' ' | '-' | '+';
  line: string;
}

/** Above this size the table is too slow, so all old lines are removed and all new ones added. */
const maxCells = 4_000_000;

/** Returns the steps from `a` to `b`. */
export const diffLines = (a: string[], b: string[]): Step[] => {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return [
    ...a.slice(0, head).map(same),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...a.slice(a.length - tail).map(same),
  ];
};

const same = (line: string): Step => ({ sign: ' ', line });

/** Finds the longest common subsequence with a table. */
const middle = (a: string[], b: string[]): Step[] => {
  if (a.length * b.length > maxCells)
    return [
      ...a.map(line => ({ sign: '-' as const, line })),
      ...b.map(line => ({ sign: '+' as const, line })),
    ];
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const steps: Step[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const [x, y] = [a[i], b[j]];
    if (x !== undefined && x === y) {
      steps.push(same(x));
      i += 1;
      j += 1;
    } else if (x !== undefined && (y === undefined || at(i + 1, j) >= at(i, j + 1))) {
      steps.push({ sign: '-', line: x });
      i += 1;
    } else if (y !== undefined) {
      steps.push({ sign: '+', line: y });
      j += 1;
    }
  }
  return steps;
};
