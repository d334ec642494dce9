/** What a run needs before there is a CLI: its folder with everything in it, and a guard that clears it if its owner dies. */
import type { Env } from '../paths.ts';
import { type Guard, startGuard } from '../tmux/guard.ts';
import { makeFifo, makeRunDir, type RunDir, removeRunDir, writeOwner, writeRelay } from './run-dir.ts';

export interface Stage {
  dir: RunDir;
  guard: Guard;
  /** The FIFO is there. */
  ready: Promise<void>;
}

export const openStage = (env: Env, settings: object, hold = false): Stage => {
  const dir = makeRunDir(env);
  try {
    writeOwner(dir);
    const ready = makeFifo(dir, env);
    ready.catch(() => {});
    writeRelay(dir, settings, hold);
    return { dir, guard: guardOf(dir, env), ready };
  } catch (error) {
    removeRunDir(dir);
    throw error;
  }
};

/** From now on it goes down with this process. */
export const guardOf = ({ socket, pid, folders }: RunDir, env: Env): Guard =>
  startGuard({ socket, pidFile: pid, folders }, env);
