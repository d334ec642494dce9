/** The text of a pane and of what has scrolled out of it. */
import type { Pane } from '../../contract/session.ts';
import { tmux } from './run.ts';

export interface Capture {
  /** The tmux session that the pane is in now. */
  session: string;
  text: string;
}

/** The screen and so many lines above it, plain; null when the pane is gone, or its id is another one's by now. */
export const captureOf = async (pane: Pane, lines: number): Promise<Capture | null> => {
  const { id, socket } = pane;
  const ask = ['display-message', '-p', '-t', id, '#{pid} #{pane_pid} #{session_name}'];
  const take = lines > 0 ? [';', 'capture-pane', '-p', '-S', `-${lines}`, '-t', id] : [];
  const { ok, stdout } = await tmux(socket, [...ask, ...take]);
  if (!ok) return null;
  const cut = stdout.indexOf('\n');
  const [, serverPid, pid, session = ''] = /^(\d+) (\d+) (.*)$/.exec(stdout.slice(0, cut)) ?? [];
  if (pane.serverPid !== null && pane.serverPid !== Number(serverPid)) return null;
  if (pane.pid !== null && pane.pid !== Number(pid)) return null;
  return { session, text: stdout.slice(cut + 1) };
};
