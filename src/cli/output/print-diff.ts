/** Prints the diff of a dry run. Only the diff goes to standard output, so that it can be piped into `patch`. */
import { unifiedDiff } from '../../hook/install/diff.ts';
import type { Edited } from '../../hook/install/edit-file.ts';
import { type Call, flag } from '../verb.ts';

/** `more` adds fields to the JSON output. */
export const printDiff = (call: Call, { before, after, target }: Edited, more: object = {}): number => {
  const diff = unifiedDiff(target, before, after);
  if (flag(call, 'json')) call.out(JSON.stringify({ file: target, diff, ...more }));
  else {
    if (diff) call.out(diff.replace(/\n$/, ''));
    call.err(diff ? 'Nothing was written (--dry-run).' : `${target} would not change.`);
  }
  return 0;
};
