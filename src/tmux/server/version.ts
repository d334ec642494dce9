/** Which tmux there is, and whether it is new enough. */
import { execFile } from 'node:child_process';
import type { Env } from '../../paths.ts';

/** What `tmux -V` says, e.g. `tmux 3.3a`; null when there is none. Asks no server. */
export const tmuxVersion = (env: Env): Promise<string | null> =>
  new Promise(resolve => {
    execFile('tmux', ['-V'], { env: { PATH: env.PATH }, timeout: 2_000 }, (error, stdout) => {
      resolve(error ? null : stdout.trim());
    });
  });

/** 3.2 is the first that has all that is used here. A build from source (`next-3.4`, `master`) counts as new. */
export const isNewEnough = (version: string): boolean => {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) return /master/.test(version);
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 2);
};
