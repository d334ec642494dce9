/** Read which session a pane has or had from its options. */
import type { Env } from '../../paths.ts';
import { tmux } from './run.ts';

export interface PaneAddress {
  socket: string;
  pane: string;
}

/** Find the pane that this command runs in; null outside tmux. */
export const currentPane = ({ TMUX, TMUX_PANE }: Env): PaneAddress | null => {
  const socket = /^(.+),\d+,[^,]*$/s.exec(TMUX ?? '')?.[1];
  return socket && TMUX_PANE ? { socket, pane: TMUX_PANE } : null;
};

export interface PaneSession {
  id: string;
  /** Where that session was started. */
  dir: string | null;
}

/** Read the session of a pane; null when it never had one. */
export const paneSession = async ({ socket, pane }: PaneAddress): Promise<PaneSession | null> => {
  // `@claude_session` is what the first versions of the tmux plugin wrote.
  const format = '#{@meta.claude.session_id}\n#{@claude_session}\n#{@meta.claude.session_dir}';
  const { ok, stdout } = await tmux(socket, ['display-message', '-p', '-t', pane, format]);
  if (!ok) return null;
  const [id = '', older = '', dir = ''] = stdout.split('\n');
  const found = [id, older].find(text => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text));
  return found ? { id: found, dir: dir.startsWith('/') ? dir : null } : null;
};
