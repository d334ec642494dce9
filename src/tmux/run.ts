/** The one function that runs tmux: always on a named server, never the default by accident, bounded in time. */
import { execFile } from 'node:child_process';

export interface Ran {
  ok: boolean;
  stdout: string;
  /** What went wrong, naming the subcommand. */
  error: string | null;
}

/** Runs one tmux command on the server of `socket`. A server that is not there is an answer, not an exception. */
export const tmux = (socket: string, args: string[]): Promise<Ran> =>
  new Promise(resolve => {
    const env = { PATH: process.env.PATH, LANG: process.env.LANG ?? 'C.UTF-8' };
    execFile(
      'tmux',
      ['-u', '-S', socket, ...args],
      { env, timeout: 3_000, maxBuffer: 16_000_000 },
      (error, stdout, stderr) => {
        resolve({
          ok: !error,
          stdout,
          error: error ? `tmux ${args[0]}: ${stderr.trim() || error.message}` : null,
        });
      },
    );
  });
