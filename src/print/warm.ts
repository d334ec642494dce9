/** Taking over a CLI of the pool: from now on it is this run's, and goes down with it. */
import { type Env } from '../paths.ts';
import { withoutMarkers } from '../claude/markers.ts';
import type { WarmRun, WarmWish } from '../contract/warm.ts';
import type { Child } from './child.ts';
import type { Request } from './request.ts';
import { runDirOf, writeOwner } from './run-dir.ts';
import { runSettings } from './settings.ts';
import { guardOf, type Stage } from './stage.ts';

export interface WarmStage extends Stage {
  child: Child;
}

/** Differs from one shell to the next and means nothing to a CLI in a terminal of its own. */
const passing =
  /^(?:_|SHLVL|PWD|OLDPWD|COLUMNS|LINES|WINDOWID|TERM_SESSION_ID|SSH_(?:CLIENT|CONNECTION|TTY))$/;

export const wishOf = (request: Request): WarmWish => ({
  cwd: request.cwd,
  claude: request.claude.path,
  flags: request.flags,
  settings: runSettings(request) as WarmWish['settings'],
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

/** Guards it first, then has the pool let go of it; throws when that comes too late. */
export const takeOver = async (
  { folders, pid, pane, cliPid, start }: WarmRun,
  env: Env,
  taken: () => Promise<unknown>,
): Promise<WarmStage> => {
  const dir = runDirOf(folders);
  const guard = guardOf(dir, env);
  try {
    writeOwner(dir);
    await taken();
  } catch (error) {
    await guard.dismiss();
    throw error;
  }
  return { dir, guard, ready: Promise.resolve(), child: { socket: dir.socket, pid, pane, cliPid, start } };
};
