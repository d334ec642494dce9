/** Builds a unified diff for `patch`. */
import { diffLines, type Step } from '../../line-diff.ts';

/** Compares two texts (null: no file). Returns an empty string if they are equal. */
export const unifiedDiff = (name: string, before: string | null, after: string | null): string => {
  if (before === after) return '';
  const head = `--- ${before === null ? '/dev/null' : name}\n+++ ${after === null ? '/dev/null' : name}\n`;
  const steps = diffLines(lines(before ?? ''), lines(after ?? ''));
  return head + hunks(steps).map(render).join('');
};

interface Hunk {
  steps: Step[];
  oldAt: number;
  newAt: number;
}

const context = 3;

/** Splits into lines with their ends, so that a missing last newline and a CR are compared too. */
const lines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

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
