/** A patch of two texts, where the tool gives none. */
import { diffLines } from '../line-diff.ts';
import { cutPatch } from './cut-patch.ts';

/** Line numbers are not known: the texts may be parts of a file. */
export const comparedPatch = (before: string, after: string) => {
  const steps = diffLines(withoutEnd(before), withoutEnd(after));
  return {
    added: steps.filter(({ sign }) => sign === '+').length,
    removed: steps.filter(({ sign }) => sign === '-').length,
    ...cutPatch(['@@ @@', ...steps.map(({ sign, line }) => `${sign}${line}`)]),
  };
};

const withoutEnd = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
