/** The state of the page: the board, and which part of it is open. Changes that arrive together are rendered together. */
import { type Board, withChanges, emptyBoard, rowsOf, withFleet, withSnapshot } from '../../client/board.ts';
import type { FleetSummary } from '../../contract/fleet.ts';
import type { Order } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import type { Form } from '../forms/form.ts';
import type { Place } from './places.ts';

export interface Shown {
  board: Board;
  now: number;
  place: Place;
  /** The session that the address names; on a narrow screen it covers the list. */
  opened: string | null;
  /** Ended sessions are listed. */
  ended: boolean;
  /** Signed out. */
  out: boolean;
  /** When the daemon stopped answering, ms. */
  downSince: number | null;
  /** The form that is open over the page. */
  form: Form | null;
  /** Sessions that are marked, for a command to all of them. */
  marked: ReadonlySet<string>;
  /** The sessions that were deferred last, for undo. */
  undo: string[];
}

/** Shortest time between two renders of changes, ms. */
const renderInterval = 30;

export class PageStore {
  private shown: Shown = {
    board: emptyBoard,
    now: Date.now(),
    place: 'sessions',
    opened: null,
    ended: false,
    out: false,
    downSince: null,
    form: null,
    marked: new Set(),
    undo: [],
  };
  private readonly listeners = new Set<() => void>();
  private changes: Session[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): Shown => this.shown;

  set(change: Partial<Shown>): void {
    this.shown = { ...this.shown, ...change };
    for (const listener of this.listeners) listener();
  }

  setBoard(change: Partial<Board>): void {
    this.set({ board: { ...this.shown.board, ...change } });
  }

  snapshot(sessions: Session[]): void {
    this.changes = [];
    this.settle(withSnapshot(this.shown.board, sessions, Date.now()), { downSince: null, out: false });
  }

  change(sessions: Session[]): void {
    this.changes.push(...sessions);
    this.timer ??= setTimeout(() => this.flush(), renderInterval);
  }

  /** Filters the list and selects its first row. */
  filter(filter: string): void {
    this.settle({ ...this.shown.board, filter, selected: null });
  }

  /** Hides ended sessions; deselects one that is selected. */
  hideEnded(): void {
    const { board } = this.shown;
    const isChosen = board.selected !== null && board.sessions.get(board.selected)?.state === 'ended';
    this.settle(isChosen ? { ...board, selected: null } : board, { ended: false });
  }

  /** Marks a session, or removes its mark. */
  toggleMark(id: string): void {
    const marked = new Set(this.shown.marked);
    if (!marked.delete(id)) marked.add(id);
    this.set({ marked });
  }

  /** The sessions that a command is for: the marked ones, else the selected one. */
  targets(): Session[] {
    const { board, marked } = this.shown;
    const ids = marked.size > 0 ? [...marked] : board.selected === null ? [] : [board.selected];
    return ids.flatMap(id => board.sessions.get(id) ?? []);
  }

  order(order: Order): void {
    this.settle({ ...this.shown.board, order });
  }

  fleet(fleet: FleetSummary): void {
    this.set({ board: withFleet(this.shown.board, fleet) });
  }

  /** `problem`: why, where that is known. */
  down(problem: string | null): void {
    const { board, downSince } = this.shown;
    const notice = problem ?? board.notice;
    this.set({ board: { ...board, link: 'down', notice }, downSince: downSince ?? Date.now() });
  }

  tick(): void {
    this.set({ now: Date.now() });
  }

  private flush(): void {
    this.timer = null;
    const changes = this.changes;
    this.changes = [];
    if (changes.length === 0) return;
    const { board, opened } = this.shown;
    // The session that the address names is selected once it is known.
    const isComing =
      opened !== null && !board.sessions.has(opened) && changes.some(({ id }) => id === opened);
    this.settle({ ...withChanges(board, changes, Date.now()), ...(isComing && { selected: opened }) });
  }

  /** Keeps the selection on its session, also where it was only the first row. */
  private settle(board: Board, change: Partial<Shown> = {}): void {
    const now = Date.now();
    this.set({ ...change, now, board: { ...board, selected: fixedSelection(board, now) } });
  }
}

/** The selected session; without one the first row that was not just deferred. */
export const fixedSelection = (board: Board, now: number, deferred: string | null = null): string | null => {
  if (board.selected !== null && board.sessions.has(board.selected)) return board.selected;
  const rows = rowsOf(board, now);
  return (rows.find(({ session }) => session.id !== deferred) ?? rows[0])?.session.id ?? null;
};
