/** After a reboot, or the end of a tmux server: which sessions went down with it, and where they were. */
import type { Pane, Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { processName, processStart, startedAt } from '../proc.ts';
import { isElsewhere } from '../contract/origin.ts';
import type { Place } from '../tmux/server/open-pane.ts';

export interface Fallen {
  session: Session;
  place: Place;
}

/**
 * The sessions that were live when their tmux server ended. When that was, nothing tells directly; but all that went down
 * with it ended in one short while, so what ended at about the time of the last one counts, or since a given time.
 */
export const fallen = (
  sessions: Session[],
  now: number,
  since: number | null = null,
  isUp: (session: Session) => boolean = serverIsUp,
): Fallen[] => {
  const lost = sessions.filter(
    session =>
      session.pane &&
      !(session.headless || isElsewhere(session) || session.next || session.id.startsWith('startup-')) &&
      session.reason !== 'clear' &&
      !isUp(session),
  );
  // One that is not known to have ended has just been found without its server.
  const endOf = ({ state, since: at }: Session) => (state === 'ended' ? at : now);
  const last = new Map<string, number>();
  for (const session of lost)
    last.set(serverOf(session), Math.max(endOf(session), last.get(serverOf(session)) ?? 0));
  return placed(
    lost.filter(
      session => endOf(session) >= (since ?? (last.get(serverOf(session)) ?? 0) - limits.resume.lostTogether),
    ),
  );
};

/** How a session ended when a person meant it to. */
export const meant = new Set(['prompt_input_exit', 'logout', 'clear', 'resume']);

/** In the order of their windows, so that the second session of a window opens beside the first. */
const placed = (sessions: Session[]): Fallen[] => {
  const taken = new Set<string>();
  return sessions
    .map(session => ({ session, pane: session.pane as Pane }))
    .sort((a, b) => compare(a.pane, b.pane))
    .map(({ session, pane }) => {
      const { socket, window, windowIndex } = pane;
      const name = pane.session ?? `claude-${session.id.slice(0, 8)}`;
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

/** Its server runs, and is the same one: a process that began later only has its number. */
const serverIsUp = ({ pane, touched }: Session): boolean => {
  const pid = pane?.serverPid ?? null;
  if (pid === null || processStart(pid) === null || !processName(pid)?.startsWith('tmux')) return false;
  return (startedAt(pid) ?? 0) <= touched + 2_000;
};
