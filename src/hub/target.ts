/** The pane of a session, to read from and to type into. */
import { DroverError } from '../contract/error.ts';
import type { Session } from '../contract/session.ts';
import { isReusedPid, processStart } from '../platform/processes.ts';
import type { PaneRef, Target } from '../tmux/input/send.ts';
import { shortId } from '../contract/short-id.ts';

/** The pane to read. */
export const paneRefOf = ({ id, pane }: Session): PaneRef => {
  if (!pane) throw new DroverError('refused', `${shortId(id)} is not in a tmux pane.`);
  return { socket: pane.socket, pane: pane.id };
};

/** The pane to type into, with the process that must read it. */
export const targetOf = (session: Session): Target => {
  const { id, pane, pid, touched } = session;
  const ref = paneRefOf(session);
  if (pane?.foreign) {
    if (pane.pid === null)
      throw new DroverError('refused', `tmux has not reported the process of pane ${pane.id} yet.`);
    return { ...ref, serverPid: pane.serverPid, reader: { panePid: pane.pid } };
  }
  if (pid === null) throw new DroverError('refused', `The process of ${shortId(id)} is not known.`);
  const start = isReusedPid(pid, touched) ? null : processStart(pid);
  return { ...ref, serverPid: pane?.serverPid ?? null, reader: { pid, start } };
};
