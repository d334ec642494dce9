/**
 * The hub starts a session: first that it means to, then where it is. A daemon that goes in between has left its intent in
 * the log, so whatever tells of the session afterwards finds it managed, and the next daemon looks for it.
 */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Session } from '../contract/session.ts';
import { emptyMemory, type Folded } from './memory.ts';
import { settleIn } from './place.ts';

export const launches = {
  /** How it is to be run; nothing has been started yet. */
  intended: 'Launching',
  /** It runs, and where. */
  done: 'Launched',
  /** Nothing was started. */
  failed: 'LaunchFailed',
} as const;

export const isLaunchEvent = (name: string): boolean => Object.values<string>(launches).includes(name);

/** Nothing was ever started under this id: it may be started. */
export const neverRan = ({ state, evidence }: Session): boolean =>
  state === 'ended' && evidence.name === launches.failed;

export const hearLaunch = (session: Folded, event: Event, launch: Hook): void => {
  if (event.name === launches.intended) return hearIntent(session, event, launch);
  if (event.name === launches.done) hearPlace(session, event);
  // A past session that could not be taken up again is whose it was.
  if (event.name === launches.failed && session.memory.launching?.was === false) session.managed = false;
  session.memory.launching = null;
};

const hearIntent = (session: Folded, event: Event, launch: Hook): void => {
  const { trail } = session.memory;
  const { socket, tmux, trust, again } = launch;
  Object.assign(session.memory, emptyMemory(event.at), {
    trail,
    launchKey: typeof launch.key === 'string' ? launch.key : null,
    launching:
      typeof socket === 'string' && typeof tmux === 'string'
        ? { socket, tmux, trust: trust === true, was: again === true ? session.managed : null }
        : null,
  });
  session.managed = true;
  if (typeof launch.name === 'string') session.name = launch.name;
  session.approvals = launch.approvals === 'held' ? 'held' : 'terminal';
  session.headless = false;
  session.pid = null;
  session.pane = null;
  session.next = null;
  if (typeof launch.cwd === 'string') {
    session.cwd = launch.cwd;
    if (session.dir === null) settleIn(session, launch.cwd);
  }
};

const hearPlace = (session: Folded, { at, context }: Event): void => {
  const { pid, socket, serverPid, pane } = context;
  // A process is known for another's by being younger than the last word of its session.
  session.touched = Math.max(session.touched, at);
  session.pid = pid ?? session.pid;
  if (!socket || !pane) return;
  session.pane = {
    socket,
    serverPid: serverPid ?? null,
    id: pane,
    pid: pid ?? null,
    session: session.memory.launching?.tmux ?? null,
    window: null,
    windowIndex: null,
  };
};
