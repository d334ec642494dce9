/** Starts a parked session again, for front ends that then go to its pane. */
import { DroverError } from '../contract/error.ts';
import type { Pane } from '../contract/session.ts';
import type { Paths } from '../paths.ts';
import { call } from './call.ts';

/** Starting a CLI can be slow on a loaded machine. */
const startWait = 15_000;

/** Resolves with its new pane. */
export const startParked = async (paths: Paths, id: string): Promise<Pane> => {
  const { pane } = await call(paths, 'resumeSession', { id, timeout: startWait });
  if (!pane) throw new DroverError('refused', 'It runs in a pane of another host.');
  const unseen = { serverPid: null, pid: null, session: null, window: null, windowIndex: null };
  return { ...pane, ...unseen };
};
