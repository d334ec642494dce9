/** Find the process of a session: two processes must never write the same transcript. */
import { liveSessions, paneOfProcess } from '../claude/live-session.ts';
import type { Session } from '../contract/session.ts';
import type { Env } from '../paths.ts';
import { hasEnvironments, lineage, processStart } from '../platform/processes.ts';
import { listPanes, listOwnSockets } from '../tmux/server/panes.ts';
import { isRemote, whereOf } from '../contract/origin.ts';

export interface SessionProcess {
  pid: number | null;
  /** Null outside tmux. */
  pane: { socket: string; pane: string } | null;
  /** Name of the host, if it is another one. */
  host: string | null;
}

/** Find the process by Claude's own session file, else by what Drover knows; null when the session is not running. */
export const findProcess = (
  id: string,
  claudeDirs: string[],
  session: Session | null,
): SessionProcess | null => {
  const file = liveSessions(claudeDirs).find(({ sessionId }) => sessionId === id);
  if (file) return { pid: file.pid, pane: paneOfProcess(file.pid) ?? paneOf(session), host: null };
  if (!session || session.state === 'ended') return null;
  if (isRemote(session)) return { pid: null, pane: null, host: whereOf(session) };
  // Every current CLI has a session file. Without a file and a running process, the session is not running.
  if (session.pid === null || processStart(session.pid) === null) return null;
  return { pid: session.pid, pane: paneOf(session), host: null };
};

/**
 * Find the pane of a running session where nothing names it: the one that its process runs below. Needed where the platform does
 * not show environments and no daemon has found it.
 */
export const withPane = async (found: SessionProcess | null, env: Env): Promise<SessionProcess | null> => {
  if (hasEnvironments || !found || found.pid === null || found.pane) return found;
  const pids = lineage(found.pid);
  for (const socket of listOwnSockets(env)) {
    const pane = (await listPanes(socket))?.find(({ pid, dead }) => !dead && pids.includes(pid));
    if (pane) return { ...found, pane: { socket, pane: pane.id } };
  }
  return found;
};

const paneOf = (session: Session | null): SessionProcess['pane'] =>
  session?.pane ? { socket: session.pane.socket, pane: session.pane.id } : null;
