/** What a run needs before there is a CLI: its folder with everything in it, and a guard that clears it if its owner dies. */
import { existsSync } from 'node:fs';
import type { Env } from '../../paths.ts';
import { type CleanupProcess, startCleanupProcess } from '../../tmux/server/cleanup-process.ts';
import { endServer } from '../../tmux/server/private-server.ts';
import { type Child, endChild, endTerminal } from './child.ts';
import {
  makeFifo,
  makeFolders,
  nameRunDir,
  type RunDir,
  removeRunDir,
  writeOwner,
  writeRelay,
} from './run-dir.ts';

export interface Stage {
  dir: RunDir;
  guard: CleanupProcess;
  /** The FIFO is there. */
  ready: Promise<void>;
}

export const openStage = (env: Env, settings: object, hold = false): Stage => {
  const dir = nameRunDir(env);
  // Before there is anything: a run may be killed in any moment.
  const guard = guardOf(dir, env);
  let isMade = false;
  try {
    makeFolders(dir);
    isMade = true;
    writeOwner(dir);
    const ready = makeFifo(dir, env);
    ready.catch(() => {});
    writeRelay(dir, settings, hold);
    return { dir, guard, ready };
  } catch (error) {
    void guard.dismiss();
    if (isMade) removeRunDir(dir);
    throw error;
  }
};

/** From now on it goes down with this process. */
export const guardOf = ({ socket, pid, folders }: RunDir, env: Env): CleanupProcess =>
  startCleanupProcess({ socket, pidFile: pid, folders }, env);

/** Ends what runs on it and clears it away. */
export const closeStage = async ({ dir, guard }: Stage, child: Child | null): Promise<void> => {
  if (child) {
    await endChild(child);
    await endTerminal(child);
  }
  // It failed half way: there may be a terminal all the same.
  else if (existsSync(dir.start)) await endServer(dir.socket);
  removeRunDir(dir);
  await guard.dismiss();
};
