/** Where a session lives and what runs there, as its latest events say. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Pane, Session } from '../contract/session.ts';
import type { Folded } from './memory.ts';

/** The session with what this event says about its place. `dir` is where it was started and never moves. */
export const placeOf = (session: Folded, event: Event, hook: Hook): Folded => {
  const { context, source, name } = event;
  if (source === 'transcript' || source === 'drover') return session;
  if (source === 'sweep' && name === 'PaneSeen') return { ...session, pane: seenPane(session, hook) };
  if (source === 'sweep' && name !== 'Dialog') return session;
  const dir = session.dir ?? text(context.projectDir) ?? text(hook.cwd);
  // A session file names where it was started, hooks where it is.
  const told = source === 'file' && session.memory.hooked > 0;
  return {
    ...session,
    cwd: told ? (session.cwd ?? text(hook.cwd)) : (text(hook.cwd) ?? session.cwd),
    dir,
    project: dir === null ? null : (dir.split('/').findLast(Boolean) ?? '/'),
    transcript: text(hook.transcript_path) ?? session.transcript,
    model: text(hook.model) ?? session.model,
    permissionMode: text(hook.permission_mode) ?? session.permissionMode,
    version: text(hook.version) ?? session.version,
    pid: context.host ? null : (context.pid ?? session.pid),
    pane: paneOf(session, event),
    host: context.host ?? session.host,
    headless: context.entrypoint ? context.entrypoint !== 'cli' : session.headless,
  };
};

const paneOf = (session: Session, { context }: Event): Pane | null => {
  if (context.host) return null;
  if (!context.pane || !context.socket) return session.pane;
  const { pane } = session;
  const serverPid = context.serverPid ?? null;
  if (pane && pane.socket === context.socket && pane.id === context.pane && pane.serverPid === serverPid)
    return pane;
  const unseen = { pid: null, session: null, window: null, windowIndex: null };
  return { socket: context.socket, serverPid, id: context.pane, ...unseen };
};

/** tmux's own names for the pane, which change while it stays the same. */
const seenPane = ({ pane }: Session, hook: Hook): Pane | null =>
  pane && {
    ...pane,
    serverPid: typeof hook.server_pid === 'number' ? hook.server_pid : pane.serverPid,
    pid: typeof hook.pane_pid === 'number' ? hook.pane_pid : pane.pid,
    session: text(hook.session) ?? pane.session,
    window: text(hook.window) ?? pane.window,
    windowIndex: typeof hook.window_index === 'number' ? hook.window_index : pane.windowIndex,
  };

const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 4_096) : null;

/** A pane's identity as one string. */
export const paneKey = (pane: Pane): string => `${pane.socket}\0${pane.serverPid ?? ''}\0${pane.id}`;
