/** Find the sessions that were lost in a reboot or with their tmux server, and where they were. */
import type { Pane, Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { processName, processStart, startedAt } from '../platform/processes.ts';
import { isRemote } from '../contract/origin.ts';
import type { Place } from '../tmux/server/open-pane.ts';
import { shortId } from '../contract/short-id.ts';

export interface LostSession {
  session: Session;
  place: Place;
}

/**
 * List the sessions that were live when their tmux server exited. No event reports when that was, but its sessions ended
 * within a short time. So it counts those that ended about when the last one did, or since a given time.
 */
export const lostSessions = (
  sessions: Session[],
  now: number,
  since: number | null = null,
  isUp: (session: Session) => boolean = serverIsUp,
): LostSession[] => {
  const lost = sessions.filter(
    session =>
      session.pane &&
      !(session.headless || isRemote(session) || session.next || session.id.startsWith('startup-')) &&
      session.reason !== 'clear' &&
      !isUp(session),
  );
  // A session without a known end was just found to have lost its server.
  const endOf = ({ state, since: at }: Session) => (state === 'ended' ? at : now);
  const last = new Map<string, number>();
  for (const session of lost)
    last.set(serverOf(session), Math.max(endOf(session), last.get(serverOf(session)) ?? 0));
  return withPlaces(
    lost.filter(
      session => endOf(session) >= (since ?? (last.get(serverOf(session)) ?? 0) - limits.resume.lostTogether),
    ),
  );
};

/** Reasons of a SessionEnd that a person caused on purpose. */
export const intendedEnds = new Set(['prompt_input_exit', 'logout', 'clear', 'resume']);

/** Sort by window, so that the second session of a window is opened beside the first. */
const withPlaces = (sessions: Session[]): LostSession[] => {
  const taken = new Set<string>();
  return sessions
    .map(session => ({ session, pane: session.pane as Pane }))
    .sort((a, b) => compare(a.pane, b.pane))
    .map(({ session, pane }) => {
      const { socket, window, windowIndex } = pane;
      const name = pane.session ?? `claude-${shortId(session.id)}`;
      const key = `${socket}\n${name}\n${windowIndex}`;
      const beside = windowIndex !== null && taken.has(key);
      taken.add(key);
      const at = windowIndex === null ? null : { index: windowIndex, name: window };
      return { session, place: { socket, session: name, window: at, beside } };
    });
};

const compare = (a: Pane, b: Pane): number =>
  a.socket.localeCompare(b.socket) ||
  (a.session ?? '').localeCompare(b.session ?? '') ||
  (a.windowIndex ?? 0) - (b.windowIndex ?? 0) ||
  Number(a.id.slice(1)) - Number(b.id.slice(1));

const serverOf = ({ pane }: Session): string => `${pane?.socket} ${pane?.serverPid}`;

/** Check that the same server is running: a process that started later only reuses its pid. */
const serverIsUp = ({ pane, touched }: Session): boolean => {
  const pid = pane?.serverPid ?? null;
  if (pid === null || processStart(pid) === null || !processName(pid)?.startsWith('tmux')) return false;
  return (startedAt(pid) ?? 0) <= touched + 2_000;
};
