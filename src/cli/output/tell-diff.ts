/** What a dry run would change in a file. The diff alone goes to standard output, so that it can be piped into `patch`. */
import { unifiedDiff } from '../../hook/install/diff.ts';
import type { Edited } from '../../hook/install/edit-file.ts';
import { type Call, flag } from '../verb.ts';

/** `more`: further fields of the JSON form. */
export const tellDiff = (call: Call, { before, after, target }: Edited, more: object = {}): number => {
  const diff = unifiedDiff(target, before, after);
  if (flag(call, 'json')) call.out(JSON.stringify({ file: target, diff, ...more }));
  else {
    if (diff) call.out(diff.replace(/\n$/, ''));
    call.err(diff ? 'Nothing was written (--dry-run).' : `${target} would stay as it is.`);
  }
  return 0;
};
