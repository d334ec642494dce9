/**
 * Pane options across a restart of tmux. A tool such as tmux-resurrect makes the same sessions, windows and panes again,
 * in the same folders, on a server that knows nothing of their options: those that were kept come back, on a pane that
 * stands in the same place and folder, never over a value that is there. Pure.
 */
import type { TmuxPane } from './panes.ts';

/** A session's id and folder on a pane, and where the pane stood. */
export interface Kept {
  socket: string;
  serverPid: number;
  session: string;
  window: number;
  pane: number;
  cwd: string;
  sessionId: string;
  dir: string | null;
  /** When it was seen last, ms. */
  at: number;
}

/** What is to be kept after a look at a server: its panes as they are, and what an earlier server of that socket had. */
export const keptAfter = (
  kept: Kept[],
  socket: string,
  panes: TmuxPane[],
  dirOf: (sessionId: string) => string | null,
  now: number,
): Kept[] => {
  const serverPid = panes[0]?.serverPid;
  const here = panes
    .filter(pane => pane.sessionId !== '')
    .map(pane => {
      const before = kept.find(row => row.sessionId === pane.sessionId);
      const dir = dirOf(pane.sessionId) ?? before?.dir ?? null;
      return { ...placeOf(pane), serverPid: pane.serverPid, sessionId: pane.sessionId, dir, at: now };
    });
  const earlier = kept.filter(
    row =>
      row.socket !== socket ||
      (row.serverPid !== serverPid && !here.some(({ sessionId }) => sessionId === row.sessionId)),
  );
  return [...here, ...earlier.filter(row => now - row.at < keepFor)].slice(0, keepRows);
};

/** Panes of a new server that stand where a pane of an earlier one stood, in the same folder, and have no session yet. */
export const restorable = (kept: Kept[], panes: TmuxPane[], now: number): { pane: TmuxPane; row: Kept }[] =>
  panes
    .filter(pane => pane.sessionId === '' && !pane.dead)
    .flatMap(pane => {
      const row = kept.find(
        candidate =>
          candidate.serverPid !== pane.serverPid &&
          now - candidate.at < keepFor &&
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

/** As long as events are kept by default; a machine may be off for a holiday. */
const keepFor = 30 * 86_400_000;
const keepRows = 500;
