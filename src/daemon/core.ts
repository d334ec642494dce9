/** What every part of the daemon is given: the home, its config, the clock, and the log of events with its loop. */
import type { Clock } from '../clock.ts';
import type { Config } from '../contract/config.ts';
import type { Draft } from '../contract/event.ts';
import { Loop } from '../live/loop.ts';
import { type OnProgress, restoreInSteps } from '../live/restore.ts';
import type { Env, Paths } from '../paths.ts';
import type { Budgets } from '../session/timing.ts';
import { HostServer } from '../tmux/server/host-server.ts';
import { Store } from '../store/store.ts';
import { type ClaudeDirs, claudeDirs } from './claude-dirs.ts';
import type { DaemonLog } from './log.ts';

export interface CoreOptions {
  paths: Paths;
  env: Env;
  /** The same object while the daemon runs; a change of config.json changes its fields. Read a field when it is used. */
  config: Config;
  clock: Clock;
  log: Pick<DaemonLog, 'info' | 'error' | 'errors'>;
  /** Called while the log is read, with the part that has been read, 0 to 1. Rejects to stop. */
  onProgress?: OnProgress;
}

export interface Core extends CoreOptions {
  store: Store;
  loop: Loop;
  /** Stores events that nobody would send again: retries until the store has them. */
  record: (drafts: Draft[]) => void;
  /** Claude's folders that are known now. */
  dirs: () => string[];
  claudeDirs: ClaudeDirs;
  /** The configured tmux server, if it runs on the host of this container. */
  hostServer: HostServer;
  close: () => void;
}

export const openCore = async (options: CoreOptions): Promise<Core> => {
  const { paths, env, config, clock, log, onProgress = nextTick } = options;
  const store = await Store.open(paths.db, log.error, clock);
  try {
    const budgets = budgetsOf(config);
    const restored = await restoreInSteps(store, budgets, log.error, onProgress);
    const loop = new Loop(store, clock, log.error, budgets, restored);
    const folders = claudeDirs(env, config);
    return {
      ...options,
      store,
      loop,
      record: drafts => loop.record(drafts),
      dirs: folders.all,
      claudeDirs: folders,
      hostServer: new HostServer(config.tmuxSocket ?? null),
      close: () => {
        loop.close();
        store.close();
      },
    };
  } catch (error) {
    store.close();
    throw error;
  }
};

/** Lets other work of this process run in between. */
export const nextTick = (): Promise<void> => new Promise(setImmediate);

/** When a session without progress counts as stalled, and how long a background shell delays the end of a turn. */
export const budgetsOf = (config: Config): Budgets => ({
  get shell() {
    return config.background.shellSeconds * 1_000;
  },
  get tool() {
    return config.stalls.toolMinutes * 60_000;
  },
  get between() {
    return config.stalls.betweenMinutes * 60_000;
  },
  get queue() {
    return config.stalls.queue;
  },
  get questions() {
    return config.asks;
  },
});
