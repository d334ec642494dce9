import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from './diff.ts';

test('a change is shown with three lines of context', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  expect(unifiedDiff('/x', before, before.replace('e\n', 'E\nE2\n'))).toBe(
    '--- /x\n+++ /x\n@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\n+E2\n f\n g\n h\n',
  );
});

test('a created or deleted file is compared with /dev/null', () => {
  expect(unifiedDiff('/x', null, 'a\n')).toBe('--- /dev/null\n+++ /x\n@@ -0,0 +1,1 @@\n+a\n');
  expect(unifiedDiff('/x', 'a\n', null)).toBe('--- /x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n');
});

test('a missing newline at the end is reported', () => {
  expect(unifiedDiff('/x', 'a', 'a\n')).toBe(
    '--- /x\n+++ /x\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n',
  );
});

test('equal texts have no diff', () => {
  expect(unifiedDiff('/x', 'a', 'a')).toBe('');
});

test('applying any diff gives the new text', () => {
  const text = fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd'), { maxLength: 30 })
    .map(lines => lines.join(''));
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(apply(a, unifiedDiff('/x', a, b))).toBe(b);
    }),
  );
});

/** Applies a diff that fits exactly, like `patch`. */
const apply = (text: string, diff: string): string => {
  const source = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let at = 0;
  let result = '';
  const lines = diff.split('\n').slice(2, -1);
  for (const [i, line] of lines.entries()) {
    const hunk = /^@@ -(\d+),(\d+) /.exec(line);
    const start = hunk && Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
    if (start !== null) while (at < start) result += source[at++];
    const end = lines[i + 1]?.startsWith('\\') ? '' : '\n';
    const body = line.slice(1) + end;
    if (line.startsWith(' ') || line.startsWith('-')) expect(source[at++]).toBe(body);
    if (line.startsWith(' ') || line.startsWith('+')) result += body;
  }
  return result + source.slice(at).join('');
};
