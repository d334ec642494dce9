/**
 * A tmux server of one run's own: one pane, nothing of the user's configuration, known by its socket alone. The
 * environment reaches the pane through the server, and the command through a script, so neither stands on a command line.
 */
import type { Env } from '../paths.ts';
import { tmux } from './run.ts';

export interface PrivateServer {
  socket: string;
  /** The server's own process. */
  pid: number;
  pane: string;
  /** The process that the script has become. */
  panePid: number;
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

/** Starts the server and its pane. The pane stays when its process ends, so that its last words can be read. */
export const startPrivateServer = async ({
  socket,
  script,
  cwd,
  env,
}: PrivateStart): Promise<PrivateServer> => {
  const told = ['-P', '-F', '#{pid} #{pane_id} #{pane_pid}'];
  const { ok, stdout, error } = await tmux(
    socket,
    [
      ...['-f', '/dev/null', 'new-session', '-d', ...told, ...size, '-c', cwd, 'sh', script],
      // In one call with the start: set a moment later, a program that fails at once would be gone with its words.
      ...[';', 'set-option', '-g', 'remain-on-exit', 'on', ';', 'set-option', '-g', 'status', 'off'],
    ],
    { env, cwd },
  );
  const [pid, pane = '', panePid] = stdout.trim().split(' ');
  if (!ok || !pane) throw new Error(error ?? 'tmux new-session: it named no pane');
  return { socket, pid: Number(pid), pane, panePid: Number(panePid) };
};

/** Ends whatever server answers on this socket, and with it what runs in its panes. */
export const endServer = async (socket: string): Promise<void> => {
  await tmux(socket, ['kill-server']);
};
