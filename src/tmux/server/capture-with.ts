/** Read facts about a pane and its coloured screen at one moment, in one tmux command. */
import type { Pane } from '../../contract/session.ts';
import { tmux } from './run.ts';

/**
 * Return the words that `format` gives, after server pid and pane pid, and the screen. Null when the pane is gone, or its server or
 * process is not the known one.
 */
export const captureWith = async (
  pane: Pane,
  format: string,
): Promise<{ serverPid: number; panePid: number; facts: string[]; coloured: string } | null> => {
  const identify = ['display-message', '-p', '-t', pane.id, `#{pid} #{pane_pid} ${format}`];
  const capture = ['capture-pane', '-p', '-e', '-t', pane.id];
  const { ok, stdout } = await tmux(pane.socket, [...identify, ';', ...capture]);
  if (!ok) return null;
  const firstBreak = stdout.indexOf('\n');
  const [server, process, ...facts] = stdout.slice(0, firstBreak).split(' ');
  const [serverPid, panePid] = [Number(server), Number(process)];
  if (pane.serverPid !== null && pane.serverPid !== serverPid) return null;
  if (pane.pid !== null && pane.pid !== panePid) return null;
  return { serverPid, panePid, facts, coloured: stdout.slice(firstBreak + 1) };
};
