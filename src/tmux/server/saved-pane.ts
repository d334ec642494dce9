/**
 * Keep pane options across a restart of tmux. A tool such as tmux-resurrect recreates the same sessions, windows and panes in
 * the same folders, but without their options. Saved options return to a pane in the same place and folder, and never
 * overwrite a value. Pure.
 */
import type { TmuxPane } from './panes.ts';

/** The session of a pane, and where the pane was. */
export interface SavedPane {
  socket: string;
  serverPid: number;
  session: string;
  window: number;
  pane: number;
  cwd: string;
  sessionId: string;
  dir: string | null;
  /** Time it was last seen, in ms. */
  at: number;
}

/** Return the rows to save for the panes of a server: its current ones, and those of earlier servers on that socket. */
export const updateSaved = (
  saved: SavedPane[],
  socket: string,
  panes: TmuxPane[],
  dirOf: (sessionId: string) => string | null,
  now: number,
): SavedPane[] => {
  const serverPid = panes[0]?.serverPid;
  const current = panes
    .filter(pane => pane.sessionId !== '')
    .map(pane => {
      const before = saved.find(row => row.sessionId === pane.sessionId);
      const dir = dirOf(pane.sessionId) ?? before?.dir ?? null;
      return { ...placeOf(pane), serverPid: pane.serverPid, sessionId: pane.sessionId, dir, at: now };
    });
  const earlier = saved.filter(
    row =>
      row.socket !== socket ||
      (row.serverPid !== serverPid && !current.some(({ sessionId }) => sessionId === row.sessionId)),
  );
  return [...current, ...earlier.filter(row => now - row.at < maxAge)].slice(0, maxRows);
};

/** Find panes without a session that are in the same place and folder as a pane of an earlier server. */
export const restorable = (
  saved: SavedPane[],
  panes: TmuxPane[],
  now: number,
): { pane: TmuxPane; row: SavedPane }[] =>
  panes
    .filter(pane => pane.sessionId === '' && !pane.dead)
    .flatMap(pane => {
      const row = saved.find(
        candidate =>
          candidate.serverPid !== pane.serverPid &&
          now - candidate.at < maxAge &&
          samePlace(candidate, placeOf(pane)),
      );
      return row ? [{ pane, row }] : [];
    });

const placeOf = ({ socket, session, at }: TmuxPane) => ({ socket, session, ...at });

const samePlace = (a: ReturnType<typeof placeOf>, b: ReturnType<typeof placeOf>): boolean =>
  a.socket === b.socket &&
  a.session === b.session &&
  a.window === b.window &&
  a.pane === b.pane &&
  a.cwd === b.cwd;

/** As long as events are kept by default: a machine may be off for a holiday. */
const maxAge = 30 * 86_400_000;
const maxRows = 500;
