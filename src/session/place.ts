/** Where a session lives and what runs there, as its latest events say. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Pane, Session } from '../contract/session.ts';

/** The session with what this event says about its place. `dir` is where it was started and never moves. */
export const placeOf = (session: Session, event: Event, hook: Hook): Session => {
  const { context } = event;
  const pane = paneOf(event) ?? session.pane;
  return {
    ...session,
    cwd: hook.cwd ?? session.cwd,
    dir: session.dir ?? context.projectDir ?? hook.cwd ?? null,
    transcript: hook.transcript_path ?? session.transcript,
    model: hook.model ?? session.model,
    permissionMode: hook.permission_mode ?? session.permissionMode,
    pid: context.host ? null : (context.pid ?? session.pid),
    pane,
    host: context.host ?? session.host,
    headless: context.entrypoint ? context.entrypoint !== 'cli' : session.headless,
  };
};

const paneOf = ({ context }: Event): Pane | null =>
  context.pane && context.socket && !context.host
    ? { socket: context.socket, serverPid: context.serverPid ?? null, id: context.pane }
    : null;

/** A pane's identity as one string. */
export const paneKey = (pane: Pane): string => `${pane.socket}\0${pane.serverPid ?? ''}\0${pane.id}`;
