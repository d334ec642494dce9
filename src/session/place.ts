/** Where a session runs, according to its latest events. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Pane, Session } from '../contract/session.ts';
import type { Folded } from './memory.ts';
import { cronsOf, tasksOf } from './tasks.ts';

/** Applies what this event says about the session's place. `dir` is where it was started and never changes. */
export const reducePlace = (session: Folded, event: Event, hook: Hook): void => {
  const { context, source, name } = event;
  if (source === 'transcript' || source === 'drover') return;
  if (source === 'sweep' && name === 'PaneSeen') session.pane = seenPane(session, hook);
  if (source === 'sweep' && name === 'PaneFound') session.pane = paneOf(session, event);
  if (source === 'sweep' && name !== 'Dialog') return;
  if (session.dir === null) setStartDir(session, text(context.projectDir) ?? text(hook.cwd));
  // A session file names the folder of the start, hooks the current one.
  const isKnown = source === 'file' && session.memory.hooked > 0 && session.cwd !== null;
  if (!isKnown) session.cwd = text(hook.cwd) ?? session.cwd;
  // A path that an origin names is on its own machine.
  if (!context.origin) session.transcript = text(hook.transcript_path) ?? session.transcript;
  session.model = text(hook.model) ?? session.model;
  session.permissionMode = text(hook.permission_mode) ?? session.permissionMode;
  session.version = text(hook.version) ?? session.version;
  session.effort = effortOf(hook) ?? session.effort;
  if (source === 'hook') noteStop(session, event, hook);
  session.pid = isFromElsewhere(event) || context.foreignPids ? null : (context.pid ?? session.pid);
  session.pane = paneOf(session, event);
  session.host = context.foreignPids ? null : (context.host ?? session.host);
  if (context.entrypoint) session.headless = context.entrypoint !== 'cli';
};

/** Lists background tasks and scheduled prompts, as the newest Stop has them. */
const noteStop = (session: Folded, { name, at }: Event, hook: Hook): void => {
  if (name === 'SessionStart' && hook.source !== 'compact') Object.assign(session, { tasks: [], crons: [] });
  const last = session.memory.end?.evidence.at ?? 0;
  if (name === 'Stop' && typeof hook.agent_id !== 'string' && at >= last)
    Object.assign(session, { tasks: tasksOf(hook), crons: cronsOf(hook) });
};

const effortOf = ({ effort }: Hook): string | null =>
  typeof effort === 'object' && effort !== null ? text((effort as { level?: unknown }).level) : text(effort);

/** Sets the folder of the start, which also names the project. */
export const setStartDir = (session: Folded, dir: string | null): void => {
  session.dir = dir;
  session.project = dir === null ? null : (dir.split('/').findLast(Boolean) ?? '/');
};

const isFromElsewhere = ({ context }: Event): boolean => Boolean(context.host ?? context.origin);

const paneOf = (session: Session, event: Event): Pane | null => {
  const { context } = event;
  if (isFromElsewhere(event)) return null;
  if (!context.pane || !context.socket) return session.pane;
  const { pane } = session;
  const serverPid = context.serverPid ?? null;
  if (pane && pane.socket === context.socket && pane.id === context.pane && pane.serverPid === serverPid)
    return pane;
  const unseen = { pid: null, session: null, window: null, windowIndex: null };
  const foreign = context.foreignPids ? { foreign: true } : {};
  return { socket: context.socket, serverPid, id: context.pane, ...unseen, ...foreign };
};

/** Returns the pane with tmux's present names for it. */
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

/** Returns the identity of a pane as one string. */
export const paneKey = (pane: Pane): string => {
  const known = paneKeys.get(pane);
  if (known !== undefined) return known;
  const key = `${pane.socket}\0${pane.serverPid ?? ''}\0${pane.id}`;
  paneKeys.set(pane, key);
  return key;
};

/** A pane is never changed in place, and the fold asks for its key at each event. */
const paneKeys = new WeakMap<Pane, string>();
