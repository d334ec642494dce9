/**
 * A tmux server of one run's own: one pane, nothing of the user's configuration, known by its socket alone. The
 * environment reaches the pane through the server, and the command through a script, so neither stands on a command line.
 */
import type { Env } from '../../paths.ts';
import { tmux } from './run.ts';

export interface PrivateServer {
  socket: string;
  /** The server's own process. */
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

/** Starts the server and its pane. When the script ends, so does the server. */
export const startPrivateServer = async ({
  socket,
  script,
  cwd,
  env,
}: PrivateStart): Promise<PrivateServer> => {
  const told = ['-P', '-F', '#{pid} #{pane_id}'];
  const { ok, stdout, error } = await tmux(
    socket,
    ['-f', '/dev/null', 'new-session', '-d', ...told, ...size, 'sh', script],
    // The folder of the start by the process's own: as a flag, tmux would expand what looks like a format in it.
    { env, cwd },
  );
  const [pid, pane = ''] = stdout.trim().split(' ');
  if (!ok || !pane) throw new Error(error ?? 'tmux new-session: it named no pane');
  return { socket, pid: Number(pid), pane };
};

/** Ends whatever server answers on this socket, and with it what runs in its panes. */
export const endServer = async (socket: string): Promise<void> => {
  await tmux(socket, ['kill-server']);
};
