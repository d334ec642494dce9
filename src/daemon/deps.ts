/** What the parts of the daemon stand on. */
import type { Config } from '../contract/config.ts';
import type { Loop } from '../live/loop.ts';
import type { Env, Paths } from '../paths.ts';
import type { Store } from '../store/store.ts';
import type { DaemonLog } from './log.ts';

export interface DaemonDeps {
  paths: Paths;
  env: Env;
  config: Config;
  loop: Loop;
  store: Store;
  log: DaemonLog;
  /** Takes in what the sources have said of these sessions until now. */
  catchUp: (ids: string[]) => Promise<void>;
}
