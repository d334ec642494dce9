/** Which tmux there is. */
import { execFile } from 'node:child_process';
import type { Env } from '../paths.ts';

/** What `tmux -V` says, e.g. `tmux 3.3a`; null when there is none. Asks no server. */
export const tmuxVersion = (env: Env): Promise<string | null> =>
  new Promise(resolve => {
    execFile('tmux', ['-V'], { env: { PATH: env.PATH }, timeout: 2_000 }, (error, stdout) => {
      resolve(error ? null : stdout.trim());
    });
  });
