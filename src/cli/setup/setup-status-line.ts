/** `drover setup --statusline`: makes Claude Code's status line a source of cost and context. */
import {
  previewNoStatusLine,
  previewStatusLine,
  registerStatusLine,
  removeStatusLine,
} from '../../hook/install/register-status-line.ts';
import { settingsFile } from '../../hook/install/scope.ts';
import { printDiff } from '../output/print-diff.ts';
import { type Call, flag } from '../verb.ts';
import { findOverridingStatusLines } from './status-line-checks.ts';

export const setupStatusLine = (call: Call): number => {
  const { env, cwd, paths } = call;
  const file = settingsFile('user', env, cwd);
  const removes = flag(call, 'remove');
  if (flag(call, 'dry-run'))
    return printDiff(call, removes ? previewNoStatusLine(file, paths) : previewStatusLine(file, paths, env));
  const edited = removes ? removeStatusLine(file, paths) : registerStatusLine(file, paths, env);
  const changed = edited.after !== edited.before;
  const overridden = removes ? [] : findOverridingStatusLines(env, cwd);
  if (flag(call, 'json')) call.out(JSON.stringify({ file, changed, statusLine: !removes, overridden }));
  else {
    const [done, nothing] = removes
      ? [`Removed Drover's status line from ${file}.`, `No status line of Drover in ${file}.`]
      : [
          `Registered the status line in ${file}. Your own keeps running.`,
          `The status line is already registered in ${file}.`,
        ];
    call.out(changed ? done : nothing);
    for (const other of overridden)
      call.out(`Note: the status line in ${other} overrides it in this project.`);
  }
  return 0;
};
