/** What a run needs before its CLI starts: a folder with everything in it, and a process that cleans up if the run is killed. */
import { existsSync } from 'node:fs';
import { endPrivateCli, endPrivateTerminal, type PrivateCli } from '../../driver/launch/private-cli.ts';
import type { Settings } from '../../driver/launch/settings.ts';
import type { Env } from '../../paths.ts';
import { type CleanupProcess, startCleanupProcess } from '../../tmux/server/cleanup-process.ts';
import { endServer } from '../../tmux/server/private-server.ts';
import {
  makeFifo,
  makeFolders,
  nameRunDir,
  type RunDir,
  removeRunDir,
  writeProcess,
  writeRelay,
} from './run-dir.ts';

export interface Workspace {
  dir: RunDir;
  cleanup: CleanupProcess;
  /** Resolves when the FIFO exists. */
  ready: Promise<void>;
}

export const openWorkspace = (env: Env, settings: Settings, hold = false): Workspace => {
  const dir = nameRunDir(env);
  // Started before anything is created, because a run may be killed at any moment.
  const cleanup = startCleanup(dir, env);
  let isMade = false;
  try {
    makeFolders(dir);
    isMade = true;
    writeProcess(dir);
    const ready = makeFifo(dir, env);
    ready.catch(() => {});
    writeRelay(dir, settings, hold);
    return { dir, cleanup, ready };
  } catch (error) {
    void cleanup.dismiss();
    if (isMade) removeRunDir(dir);
    throw error;
  }
};

/** Starts the process that removes the workspace when this process dies. */
export const startCleanup = ({ socket, pid, folders }: RunDir, env: Env): CleanupProcess =>
  startCleanupProcess({ socket, pidFile: pid, folders }, env);

/** Ends what runs in it and removes it. */
export const closeWorkspace = async ({ dir, cleanup }: Workspace, cli: PrivateCli | null): Promise<void> => {
  if (cli) {
    await endPrivateCli(cli);
    await endPrivateTerminal(cli);
  }
  // The start failed half-way: there may still be a terminal.
  else if (existsSync(dir.start)) await endServer(dir.socket);
  removeRunDir(dir);
  await cleanup.dismiss();
};
