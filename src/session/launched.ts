/** The hub has started a session, or brought it back: where it is, and how it is to be run. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import { emptyMemory, type Folded } from './memory.ts';
import { settleIn } from './place.ts';

export const launchedName = 'Launched';

export const hearLaunched = (session: Folded, event: Event, launch: Hook): void => {
  const { pid, socket, serverPid, pane } = event.context;
  const { trail } = session.memory;
  Object.assign(session.memory, emptyMemory(event.at), {
    trail,
    launchKey: typeof launch.key === 'string' ? launch.key : null,
  });
  session.managed = true;
  if (typeof launch.name === 'string') session.name = launch.name;
  session.approvals = launch.approvals === 'held' ? 'held' : 'terminal';
  session.headless = false;
  session.pid = pid ?? null;
  session.next = null;
  if (typeof launch.cwd === 'string') {
    session.cwd = launch.cwd;
    if (session.dir === null) settleIn(session, launch.cwd);
  }
  if (socket && pane)
    session.pane = {
      socket,
      serverPid: serverPid ?? null,
      id: pane,
      pid: pid ?? null,
      session: typeof launch.tmux === 'string' ? launch.tmux : null,
      window: null,
      windowIndex: null,
    };
};
