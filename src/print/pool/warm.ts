/** Taking over a CLI of the pool: from now on it is this run's, and goes down with it. */
import { withoutMarkers } from '../../claude/markers.ts';
import type { WarmRun, WarmWish } from '../../contract/warm.ts';
import type { Env } from '../../paths.ts';
import { Control } from '../../tmux/server/control.ts';
import { asTyped, pasteIntoPrompt } from '../../driver/input/prompt-input.ts';
import { type PrivateCli, targetOf } from '../../driver/launch/private-cli.ts';
import { pasteTime } from '../../driver/input/submit-prompt.ts';
import type { Request } from '../request.ts';
import { runDirOf, writeOwner } from '../cli/run-dir.ts';
import { runSettings } from '../cli/settings.ts';
import { startCleanup, type Workspace } from '../cli/workspace.ts';

export interface WarmWorkspace extends Workspace {
  cli: PrivateCli;
  /** For typing, until the CLI has taken the prompt. */
  control: Control;
  /** Whether the prompt stands in its prompt line, as soon as that is known. */
  typed: Promise<boolean>;
}

/** Differs from one shell to the next and means nothing to a CLI in a terminal of its own. */
const passing =
  /^(?:_|SHLVL|PWD|OLDPWD|COLUMNS|LINES|WINDOWID|TERM_SESSION_ID|SSH_(?:CLIENT|CONNECTION|TTY))$/;

export const wishOf = (request: Request): WarmWish => ({
  cwd: request.cwd,
  claude: request.claude.path,
  flags: request.flags,
  settings: runSettings(request),
  inherit_hooks: request.inheritHooks,
  hold: request.holding !== null,
  env: lasting(request.env),
});

const lasting = (env: Env): WarmWish['env'] =>
  Object.fromEntries(
    Object.entries(withoutMarkers(env)).flatMap(([name, value]) =>
      value === undefined || passing.test(name) ? [] : [[name, value]],
    ),
  );

/**
 * Types the prompt, for the pool has seen an empty prompt line there; guards it meanwhile, and then has the pool, which
 * guards it until then, let go of it. Throws when the pool has ended it already.
 */
export const takeOver = async (
  { folders, pid, pane, cliPid, start }: WarmRun,
  { env, prompt }: Request,
  taken: () => Promise<unknown>,
): Promise<WarmWorkspace> => {
  const dir = runDirOf(folders);
  const { socket } = dir;
  const control = new Control(socket, pane);
  const cli = { socket, pid, pane, cliPid, start };
  const target = { ...targetOf(cli), control };
  const typed = pasteIntoPrompt(target, asTyped(prompt.text), pasteTime(prompt.text)).then(
    outcome => outcome === 'typed',
    () => false,
  );
  const cleanup = startCleanup(dir, env);
  try {
    writeOwner(dir);
    await taken();
    return { dir, cleanup, ready: Promise.resolve(), cli, control, typed };
  } catch (error) {
    await control.close();
    await cleanup.dismiss();
    throw error;
  }
};
