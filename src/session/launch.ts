/**
 * Starts by the hub. The intent is recorded first, then the place. If the daemon stops in between, the session is known to be
 * managed, and the next daemon looks for it.
 */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Session } from '../contract/session.ts';
import { emptyMemory, type Folded } from './memory.ts';
import { setStartDir } from './place.ts';

export const launchEvents = {
  /** It is about to be started. */
  intended: 'Launching',
  /** It was started, and where. */
  done: 'Launched',
  /** Nothing was started. */
  failed: 'LaunchFailed',
} as const;

export const isLaunchEvent = (name: string): boolean => Object.values<string>(launchEvents).includes(name);

/** Whether nothing was ever started under this id. */
export const neverRan = ({ state, evidence }: Session): boolean =>
  state === 'ended' && evidence.name === launchEvents.failed;

export const reduceLaunch = (session: Folded, event: Event, launch: Hook): void => {
  if (event.name === launchEvents.intended) return reduceIntent(session, event, launch);
  if (event.name === launchEvents.done) reduceLaunched(session, event);
  // A past session that could not be resumed is managed only if it was before.
  if (event.name === launchEvents.failed && session.memory.launching?.was === false) session.managed = false;
  if (event.name === launchEvents.failed && session.memory.launching?.parked)
    session.memory.parking = event.at;
  session.memory.launching = null;
};

const reduceIntent = (session: Folded, event: Event, launch: Hook): void => {
  const { trail } = session.memory;
  const { socket, tmux, trust, again } = launch;
  Object.assign(session.memory, emptyMemory(event.at), {
    trail,
    launchKey: typeof launch.key === 'string' ? launch.key : null,
    launching:
      typeof socket === 'string' && typeof tmux === 'string'
        ? {
            socket,
            tmux,
            trust: trust === true,
            was: again === true ? session.managed : null,
            parked: session.parked,
          }
        : null,
  });
  session.managed = true;
  if (typeof launch.name === 'string') session.name = launch.name;
  // Without a choice it is as for any new session.
  if (launch.approvals === 'held' || launch.approvals === 'terminal') session.approvals = launch.approvals;
  session.headless = false;
  session.pid = null;
  session.pane = null;
  session.next = null;
  if (typeof launch.cwd === 'string') {
    session.cwd = launch.cwd;
    if (session.dir === null) setStartDir(session, launch.cwd);
  }
};

const reduceLaunched = (session: Folded, { at, context }: Event): void => {
  const { pid, socket, serverPid, pane, foreignPids } = context;
  // A process younger than the last event of its session belongs to somebody else.
  session.touched = Math.max(session.touched, at);
  session.pid = foreignPids ? null : (pid ?? session.pid);
  if (!socket || !pane) return;
  session.pane = {
    socket,
    serverPid: serverPid ?? null,
    id: pane,
    pid: pid ?? null,
    session: session.memory.launching?.tmux ?? null,
    window: null,
    windowIndex: null,
    ...(foreignPids && { foreign: true }),
  };
};
