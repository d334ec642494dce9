/**
 * A private tmux server for one run: one pane, no user configuration, reachable only by its socket. The environment reaches
 * the pane through the server and the command through a script, so neither is visible on a command line.
 */
import type { Env } from '../../paths.ts';
import { tmux } from './run.ts';

export interface PrivateServer {
  socket: string;
  /** Process id of the server. */
  pid: number;
  pane: string;
}

export interface PrivateStart {
  socket: string;
  /** A shell script, run by `sh`. */
  script: string;
  cwd: string;
  env: Env;
}

/** Wide enough that no dialog is wrapped. */
const size = ['-x', '220', '-y', '50'];

/** Start the server and its pane. The server exits with the script. */
export const startPrivateServer = async ({
  socket,
  script,
  cwd,
  env,
}: PrivateStart): Promise<PrivateServer> => {
  const print = ['-P', '-F', '#{pid} #{pane_id}'];
  const { ok, stdout, error } = await tmux(
    socket,
    ['-f', '/dev/null', 'new-session', '-d', ...print, ...size, 'sh', script],
    // The folder is passed as cwd: given as a flag, tmux would expand formats in it.
    { env, cwd },
  );
  const [pid, pane = ''] = stdout.trim().split(' ');
  if (!ok || !pane) throw new Error(error ?? 'tmux new-session: no pane was created');
  return { socket, pid: Number(pid), pane };
};

/** Kill the server on this socket, and with it the programs in its panes. */
export const endServer = async (socket: string): Promise<void> => {
  await tmux(socket, ['kill-server']);
};
