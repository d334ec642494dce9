/**
 * Find the panes of sessions that no hook has placed, or that were resumed in another pane without one. A session's process must
 * run below its pane.
 */
import { isRemote } from '../contract/origin.ts';
import { hasEnvironments, lineage } from '../platform/processes.ts';
import type { Folded } from '../session/memory.ts';
import type { TmuxPane } from '../tmux/server/panes.ts';
import { Lineages } from './lineages.ts';

export interface FoundPane {
  session: Folded;
  pane: TmuxPane;
  pid: number;
}

export class PaneFinder {
  constructor(
    private readonly isPaneInEnvironment: boolean = hasEnvironments,
    private readonly lineages = new Lineages(),
  ) {}

  find(live: Folded[], panes: TmuxPane[]): FoundPane[] {
    const local = live.filter(isLocal);
    this.lineages.keepOnly(local.map(({ id }) => id));
    const running = panes.filter(({ dead }) => !dead);
    return local.flatMap(session => {
      const pane = hintOf(session) ? findHinted(session, running) : this.findAbove(session, running);
      return pane ? [{ session, pane, pid: session.pid as number }] : [];
    });
  }

  /** Where the platform shows environments, the pane of a session file's process is read from there. */
  private findAbove({ id, pid, pane: known }: Folded, panes: TmuxPane[]): TmuxPane | undefined {
    if (this.isPaneInEnvironment || panes.length === 0) return undefined;
    const pids = this.lineages.of(id, pid as number);
    if (known?.pid && pids.includes(known.pid)) return undefined;
    const above = panes.find(pane => pids.includes(pane.pid));
    if (!above || (known && isSamePane(above, known))) return undefined;
    return this.lineages.readAgain(id, pid as number).includes(above.pid) ? above : undefined;
  }
}

const isSamePane = ({ socket, id, serverPid }: TmuxPane, known: NonNullable<Folded['pane']>): boolean =>
  socket === known.socket && id === known.id && serverPid === (known.serverPid ?? serverPid);

/**
 * Accept the pane that an emitter named only by its id (`X-Tmux-Pane`), if the session's process runs below that pane. Two
 * servers have panes of the same id, and anyone can send a header.
 */
const findHinted = (session: Folded, panes: TmuxPane[]): TmuxPane | undefined => {
  const hint = hintOf(session);
  const pane = panes.find(({ id }) => id === hint?.pane);
  return pane && hint && lineage(hint.pid).includes(pane.pid) ? pane : undefined;
};

/** Return the pane that a posted hook named, for a session whose process is known from its session file and whose pane is not. */
export const hintOf = (session: Folded): { pane: string; pid: number } | null => {
  const { pid, memory } = session;
  if (!isUnplaced(session) || pid === null || memory.hintPane === null) return null;
  return { pane: memory.hintPane, pid };
};

const isUnplaced = (session: Folded): boolean => session.pane === null && isLocal(session);

/** Check for a session whose process on this machine is known from its session file. */
const isLocal = (session: Folded): boolean =>
  session.pid !== null && session.memory.file !== null && !isRemote(session);
