/** List the panes of a server, and read their screens. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { realFolder } from '../../files/folder.ts';
import type { Env } from '../../paths.ts';
import { tmux } from './run.ts';

export interface TmuxPane {
  socket: string;
  serverPid: number;
  id: string;
  pid: number;
  command: string;
  dead: boolean;
  session: string;
  window: string;
  /** Window and pane index, and current folder. */
  at: { window: number; pane: number; cwd: string };
  /** The session id in our pane option; empty when it is not set. */
  sessionId: string;
  /** An attached client shows it and has it selected. */
  isShown: boolean;
}

const format = [
  '#{pid}',
  '#{pane_id}',
  '#{pane_pid}',
  '#{pane_dead}',
  '#{pane_current_command}',
  '#{window_index}',
  '#{pane_index}',
  '#{s/[^A-Za-z0-9-]//:@meta.claude.session_id}',
  '#{&&:#{session_attached},#{&&:#{window_active},#{pane_active}}}',
  // The only field that can contain tabs and line breaks. A class like [:cntrl:] would end the modifier with its colon.
  '#{s/[\t\n\r]/?/:pane_current_path}',
  '#{session_name}',
  '#{window_name}',
].join('\t');

/** List every pane of a server in one call; null when no server answers on the socket. */
export const listPanes = async (socket: string): Promise<TmuxPane[] | null> => {
  const { ok, stdout } = await tmux(socket, ['list-panes', '-a', '-F', format]);
  if (!ok) return null;
  const seen = new Map<string, TmuxPane>();
  return stdout
    .split('\n')
    .filter(Boolean)
    .flatMap(line => {
      const fields = line.split('\t');
      const [serverPid, id = '', pid, dead, command = '', windowAt, paneAt, sessionId = '', shown, cwd = ''] =
        fields;
      const [session = '', ...window] = fields.slice(10);
      // A window linked into several sessions is listed once for each.
      const first = seen.get(id);
      if (first) {
        first.isShown ||= shown === '1';
        return [];
      }
      const pane: TmuxPane = {
        socket,
        serverPid: Number(serverPid),
        id,
        pid: Number(pid),
        command,
        dead: dead === '1',
        session,
        window: window.join('\t'),
        at: { window: Number(windowAt), pane: Number(paneAt), cwd },
        sessionId,
        isShown: shown === '1',
      };
      seen.set(id, pane);
      return [pane];
    });
};

/** Read the text on a pane's screen; empty when the pane is gone. */
export const captureScreen = async (socket: string, pane: string): Promise<string> =>
  (await tmux(socket, ['capture-pane', '-p', '-t', pane])).stdout;

/** Read the screen and all scrollback. Needed after an exit: tmux's own last line can push the first one off the screen. */
export const captureHistory = async (socket: string, pane: string): Promise<string> =>
  (await tmux(socket, ['capture-pane', '-p', '-S', '-', '-t', pane])).stdout;

/** List the sockets of this user's servers under TMUX_TMPDIR. */
export const listOwnSockets = (env: Env): string[] => {
  const dir = socketFolder(env);
  try {
    return readdirSync(dir)
      .map(name => join(dir, name))
      .filter(file => statSync(file).isSocket());
  } catch {
    return [];
  }
};

/** Return the socket of this user's default server. */
export const defaultSocket = (env: Env): string => join(socketFolder(env), 'default');

/** tmux resolves links in this path before it names its sockets: on macOS /tmp is /private/tmp. */
const socketFolder = (env: Env): string =>
  join(realFolder(env.TMUX_TMPDIR || '/tmp'), `tmux-${process.getuid?.() ?? 0}`);
