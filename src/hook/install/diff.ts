/** The unified diff of two texts, as `patch` takes it. */

/** Null stands for no file. Equal texts give an empty diff. */
export const unifiedDiff = (name: string, before: string | null, after: string | null): string => {
  if (before === after) return '';
  const head = `--- ${before === null ? '/dev/null' : name}\n+++ ${after === null ? '/dev/null' : name}\n`;
  const steps = diffLines(lines(before ?? ''), lines(after ?? ''));
  return head + hunks(steps).map(render).join('');
};

interface Step {
  sign: ' ' | '-' | '+';
  line: string;
}

interface Hunk {
  steps: Step[];
  oldAt: number;
  newAt: number;
}

const context = 3;

/** Lines with their ends, so that a missing last newline and a CR are part of the comparison. */
const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const diffLines = (a: string[], b: string[]): Step[] => {
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

/** The longest common subsequence of what is left, by table. */
const middle = (a: string[], b: string[]): Step[] => {
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

const hunks = (steps: Step[]): Hunk[] => {
  const near = (at: number) =>
    steps.slice(Math.max(0, at - context), at + context + 1).some(({ sign }) => sign !== ' ');
  const found: Hunk[] = [];
  let [oldAt, newAt] = [1, 1];
  let open: Hunk | null = null;
  for (const [at, step] of steps.entries()) {
    if (near(at)) {
      if (!open) found.push((open = { steps: [], oldAt, newAt }));
      open.steps.push(step);
    } else open = null;
    if (step.sign !== '+') oldAt += 1;
    if (step.sign !== '-') newAt += 1;
  }
  return found;
};

const render = ({ steps, oldAt, newAt }: Hunk): string => {
  const olds = steps.filter(({ sign }) => sign !== '+').length;
  const news = steps.filter(({ sign }) => sign !== '-').length;
  const range = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;
  const body = steps.map(
    ({ sign, line }) => sign + (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`),
  );
  return `@@ -${range(oldAt, olds)} +${range(newAt, news)} @@\n${body.join('')}`;
};
