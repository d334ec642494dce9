/** The one function that runs tmux: always on a named server, never the default by accident, bounded in time. */
import { execFile } from 'node:child_process';

export interface Ran {
  ok: boolean;
  stdout: string;
  /** What went wrong, naming the subcommand. */
  error: string | null;
}

export interface Asking {
  /** Given on standard input: commands for `source-file -`. */
  input?: string;
  /** Who asks: with TMUX and TMUX_PANE tmux knows which client that is. */
  env?: Record<string, string | undefined>;
}

/** Runs one tmux command on the server of `socket`. A server that is not there is an answer, not an exception. */
export const tmux = (socket: string, args: string[], { input, env }: Asking = {}): Promise<Ran> =>
  new Promise(resolve => {
    const child = execFile(
      'tmux',
      ['-u', '-S', socket, ...args],
      { env: { ...tmuxEnv(), ...env }, timeout: 3_000, maxBuffer: 16_000_000 },
      (error, stdout, stderr) => {
        resolve({
          ok: !error,
          stdout,
          error: error ? `tmux ${args[0]}: ${stderr.trim() || error.message}` : null,
        });
      },
    );
    // A server that is gone does not read what it is given.
    child.stdin?.on('error', () => {}).end(input);
  });

/** What a tmux of ours gets of the environment. */
export const tmuxEnv = (): Record<string, string | undefined> => ({
  PATH: process.env.PATH,
  LANG: process.env.LANG ?? 'C.UTF-8',
});
