/** `drover setup --protect`: rules that keep Claude Code's own tools out of DROVER_HOME. */
import { previewProtect, previewUnprotect, protectHome, unprotectHome } from '../../hook/install/protect.ts';
import { settingsFile } from '../../hook/install/scope.ts';
import { tellDiff } from '../output/tell-diff.ts';
import { type Call, flag } from '../verb.ts';

export const setupProtect = (call: Call): number => {
  const { env, cwd, paths } = call;
  const file = settingsFile('user', env, cwd);
  const removes = flag(call, 'remove');
  if (flag(call, 'dry-run'))
    return tellDiff(call, (removes ? previewUnprotect : previewProtect)(file, paths));
  const edited = (removes ? unprotectHome : protectHome)(file, paths);
  const changed = edited.after !== edited.before;
  if (flag(call, 'json')) call.out(JSON.stringify({ file, changed, protected: !removes }));
  else if (removes)
    call.out(changed ? `Removed the rules from ${file}.` : `There are no rules of Drover's in ${file}.`);
  else {
    call.out(
      changed
        ? `Claude Code may no longer read or change ${paths.home} with its own tools (${file}).`
        : `The rules are in ${file} already; nothing was changed.`,
    );
    call.out('Bash runs as you and is not stopped by them; see docs/security.md.');
  }
  return 0;
};
