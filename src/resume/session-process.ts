/** Who has a session now: two panes must never write one transcript. */
import { liveSessions, paneOfProcess } from '../claude/live-session.ts';
import type { Session } from '../contract/session.ts';
import { processStart } from '../proc.ts';
import { isElsewhere, whereOf } from '../contract/origin.ts';

export interface Owner {
  pid: number | null;
  /** Null: it runs outside tmux. */
  pane: { socket: string; pane: string } | null;
  /** The host, where that is another one. */
  host: string | null;
}

/** The owner of a session: by Claude's own file, else by what Drover knows; null when nobody has it. */
export const ownerOf = (id: string, claudeDirs: string[], session: Session | null): Owner | null => {
  const file = liveSessions(claudeDirs).find(({ sessionId }) => sessionId === id);
  if (file) return { pid: file.pid, pane: paneOfProcess(file.pid) ?? paneOf(session), host: null };
  if (!session || session.state === 'ended') return null;
  if (isElsewhere(session)) return { pid: null, pane: null, host: whereOf(session) };
  // Every CLI of today has a file; without one and without a process that runs there is nobody, known or not to have gone.
  if (session.pid === null || processStart(session.pid) === null) return null;
  return { pid: session.pid, pane: paneOf(session), host: null };
};

const paneOf = (session: Session | null): Owner['pane'] =>
  session?.pane ? { socket: session.pane.socket, pane: session.pane.id } : null;
