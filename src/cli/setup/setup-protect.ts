/** `drover setup --protect`: adds rules that keep Claude Code's own tools out of DROVER_HOME. */
import { previewProtect, previewUnprotect, protectHome, unprotectHome } from '../../hook/install/protect.ts';
import { settingsFile } from '../../hook/install/scope.ts';
import { printDiff } from '../output/print-diff.ts';
import { type Call, flag } from '../verb.ts';

export const setupProtect = (call: Call): number => {
  const { env, cwd, paths } = call;
  const file = settingsFile('user', env, cwd);
  const removes = flag(call, 'remove');
  if (flag(call, 'dry-run'))
    return printDiff(call, (removes ? previewUnprotect : previewProtect)(file, paths));
  const edited = (removes ? unprotectHome : protectHome)(file, paths);
  const changed = edited.after !== edited.before;
  if (flag(call, 'json')) call.out(JSON.stringify({ file, changed, protected: !removes }));
  else if (removes) call.out(changed ? `Removed the rules from ${file}.` : `No Drover rules in ${file}.`);
  else {
    call.out(
      changed
        ? `Claude Code's own tools can no longer read or change ${paths.home} (${file}).`
        : `The rules are already in ${file}. Nothing was changed.`,
    );
    call.out('They do not restrict Bash, which runs as you; see docs/security.md.');
  }
  return 0;
};
