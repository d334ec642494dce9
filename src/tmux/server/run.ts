/** Run tmux: always on a named socket, never on the default server by accident, and with a timeout. */
import { execFile } from 'node:child_process';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';

export interface TmuxResult {
  ok: boolean;
  stdout: string;
  /** The error, with the name of the subcommand. */
  error: string | null;
}

export interface RunOptions {
  /** Written to standard input, so that it is not visible on a command line. */
  input?: string;
  /** Added to the minimal environment. A server that this call starts passes it on to its panes. */
  env?: Env;
  cwd?: string;
}

/** Run one tmux command on the server of `socket`. A missing server is a result, not an exception. */
export const tmux = (socket: string, args: string[], options: RunOptions = {}): Promise<TmuxResult> =>
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
    // tmux may exit without reading all input; the exit code reports that.
    child.stdin?.on('error', () => {}).end(input);
  });

/** Return the minimal environment for tmux. */
export const tmuxEnv = (): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  LANG: process.env.LANG ?? 'C.UTF-8',
});
