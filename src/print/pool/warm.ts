/** Takes over a CLI of the pool. From then on it belongs to this run and ends with it. */
import { withoutMarkers } from '../../claude/markers.ts';
import type { WarmRun, WarmLaunch } from '../../contract/warm.ts';
import type { Env } from '../../paths.ts';
import { Control } from '../../tmux/server/control.ts';
import { textToPaste, pasteIntoPrompt } from '../../driver/input/prompt-input.ts';
import { type PrivateCli, targetOf } from '../../driver/launch/private-cli.ts';
import { pasteTime } from '../../driver/input/submit-prompt.ts';
import type { Request } from '../request.ts';
import { runDirOf, writeProcess } from '../cli/run-dir.ts';
import { runSettings } from '../cli/settings.ts';
import { startCleanup, type Workspace } from '../cli/workspace.ts';

export interface WarmWorkspace extends Workspace {
  cli: PrivateCli;
  /** For typing, until the CLI has taken the prompt. */
  control: Control;
  /** Whether the prompt is in its prompt line, as soon as that is known. */
  typed: Promise<boolean>;
}

/** Variables that differ between shells and mean nothing to a CLI in its own terminal. */
const shellVariables =
  /^(?:_|SHLVL|PWD|OLDPWD|COLUMNS|LINES|WINDOWID|TERM_SESSION_ID|SSH_(?:CLIENT|CONNECTION|TTY))$/;

/** What a CLI for this run is started with. */
export const warmLaunchOf = (request: Request): WarmLaunch => ({
  cwd: request.cwd,
  claude: request.claude.path,
  flags: request.flags,
  settings: runSettings(request),
  inherit_hooks: request.inheritHooks,
  hold: request.holding !== null,
  env: stableEnv(request.env),
});

const stableEnv = (env: Env): WarmLaunch['env'] =>
  Object.fromEntries(
    Object.entries(withoutMarkers(env)).flatMap(([name, value]) =>
      value === undefined || shellVariables.test(name) ? [] : [[name, value]],
    ),
  );

/**
 * Types the prompt at once, because the pool has seen an empty prompt line. In the meantime it starts its own cleanup process, then tells
 * the pool to release the CLI. Throws when the pool has already ended it.
 */
export const takeOver = async (
  { folders, pid, pane, cliPid, start }: WarmRun,
  { env, prompt }: Request,
  confirm: () => Promise<unknown>,
): Promise<WarmWorkspace> => {
  const dir = runDirOf(folders);
  const { socket } = dir;
  const control = new Control(socket, pane);
  const cli = { socket, pid, pane, cliPid, start };
  const target = { ...targetOf(cli), control };
  const typed = pasteIntoPrompt(target, textToPaste(prompt), pasteTime(prompt)).then(
    outcome => outcome === 'typed',
    () => false,
  );
  const cleanup = startCleanup(dir, env);
  try {
    writeProcess(dir);
    await confirm();
    return { dir, cleanup, ready: Promise.resolve(), cli, control, typed };
  } catch (error) {
    await control.close();
    await cleanup.dismiss();
    throw error;
  }
};
