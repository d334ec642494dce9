/** Capture the text of a pane, with its scrollback. */
import type { Pane } from '../../contract/session.ts';
import { tmux } from './run.ts';

export interface Capture {
  /** The tmux session that the pane is in now. */
  session: string;
  text: string;
}

/** Capture the screen and `lines` of scrollback as plain text; null when the pane is gone or its id was reused. */
export const capturePane = async (pane: Pane, lines: number): Promise<Capture | null> => {
  const { id, socket } = pane;
  const identify = ['display-message', '-p', '-t', id, '#{pid} #{pane_pid} #{session_name}'];
  const capture = lines > 0 ? [';', 'capture-pane', '-p', '-S', `-${lines}`, '-t', id] : [];
  const { ok, stdout } = await tmux(socket, [...identify, ...capture]);
  if (!ok) return null;
  const firstBreak = stdout.indexOf('\n');
  const [, serverPid, pid, session = ''] = /^(\d+) (\d+) (.*)$/.exec(stdout.slice(0, firstBreak)) ?? [];
  if (pane.serverPid !== null && pane.serverPid !== Number(serverPid)) return null;
  if (pane.pid !== null && pane.pid !== Number(pid)) return null;
  return { session, text: stdout.slice(firstBreak + 1) };
};
