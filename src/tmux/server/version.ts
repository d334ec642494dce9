/** Check which tmux is installed. */
import { execFile } from 'node:child_process';
import type { Env } from '../../paths.ts';

/** Run `tmux -V`, e.g. `tmux 3.3a`; null when tmux is not installed. */
export const tmuxVersion = (env: Env): Promise<string | null> =>
  new Promise(resolve => {
    execFile('tmux', ['-V'], { env: { PATH: env.PATH }, timeout: 2_000 }, (error, stdout) => {
      resolve(error ? null : stdout.trim());
    });
  });

/** Check for 3.2, the first version with everything that Drover uses. A source build (`next-3.4`, `master`) is new enough. */
export const isNewEnough = (version: string): boolean => {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) return /master/.test(version);
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 2);
};
