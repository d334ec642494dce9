/** The one function that runs tmux: always on a named server, never the default by accident, bounded in time. */
import { execFile } from 'node:child_process';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';

export interface Ran {
  ok: boolean;
  stdout: string;
  /** What went wrong, naming the subcommand. */
  error: string | null;
}

export interface RunOptions {
  /** Written to tmux's standard input: text that must not stand on a command line. */
  input?: string;
  /** On top of the little that tmux gets otherwise; a server that this call starts hands it on to its panes. */
  env?: Env;
  cwd?: string;
}

/** Runs one tmux command on the server of `socket`. A server that is not there is an answer, not an exception. */
export const tmux = (socket: string, args: string[], options: RunOptions = {}): Promise<Ran> =>
  new Promise(resolve => {
    const { input, env, cwd } = options;
    const child = execFile(
      'tmux',
      ['-u', '-S', socket, ...args],
      {
        env: { ...tmuxEnv(), ...env },
        timeout: limits.tmux.timeout,
        maxBuffer: 16_000_000,
        ...(cwd && { cwd }),
      },
      (error, stdout, stderr) => {
        resolve({
          ok: !error,
          stdout,
          error: error ? `tmux ${args[0]}: ${stderr.trim() || error.message}` : null,
        });
      },
    );
    // tmux may end without reading all of it; its exit code tells.
    child.stdin?.on('error', () => {}).end(input);
  });

/** What a tmux of ours gets of the environment. */
export const tmuxEnv = (): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  LANG: process.env.LANG ?? 'C.UTF-8',
});

/** A server whose last session has just ended answers once more and goes: nothing was done there, it can be asked again. */
export const isLeaving = (error: string | null): boolean => /server exited|lost server/.test(error ?? '');
