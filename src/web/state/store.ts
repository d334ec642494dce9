/** The page's one state: the board, and what of it is looked at. News of a crowd come many at once and are shown together. */
import { type Board, changed, emptyBoard, rowsOf, told } from '../../client/board.ts';
import type { Order } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';

export type Place = 'sessions' | 'day' | 'waits' | 'audit';

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
  /** Since when the daemon does not answer, ms. */
  downSince: number | null;
}

/** At most so often, ms. */
const newsEvery = 30;

export class PageStore {
  private shown: Shown = {
    board: emptyBoard,
    now: Date.now(),
    place: 'sessions',
    opened: null,
    ended: false,
    out: false,
    downSince: null,
  };
  private readonly listeners = new Set<() => void>();
  private news: Session[] = [];
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

  told(sessions: Session[]): void {
    this.news = [];
    this.settle(told(this.shown.board, sessions, Date.now()), { downSince: null });
  }

  changed(sessions: Session[]): void {
    this.news.push(...sessions);
    this.timer ??= setTimeout(() => this.flush(), newsEvery);
  }

  /** Shows what fits; with a filter the first of them is looked at. */
  filter(filter: string): void {
    this.settle({ ...this.shown.board, filter, selected: null });
  }

  /** Hides the ended ones again, and with them one that is looked at. */
  hideEnded(): void {
    const { board } = this.shown;
    const isChosen = board.selected !== null && board.sessions.get(board.selected)?.state === 'ended';
    this.settle(isChosen ? { ...board, selected: null } : board, { ended: false });
  }

  order(order: Order): void {
    this.settle({ ...this.shown.board, order });
  }

  down(): void {
    const { board, downSince } = this.shown;
    this.set({ board: { ...board, link: 'down' }, downSince: downSince ?? Date.now() });
  }

  tick(): void {
    this.set({ now: Date.now() });
  }

  private flush(): void {
    this.timer = null;
    const news = this.news;
    this.news = [];
    if (news.length === 0) return;
    const { board, opened } = this.shown;
    // What the address names comes into sight when it is known.
    const isComing = opened !== null && !board.sessions.has(opened) && news.some(({ id }) => id === opened);
    this.settle({ ...changed(board, news, Date.now()), ...(isComing && { selected: opened }) });
  }

  /** What is looked at stays under the eye: whatever stood first is held on to until a person moves on. */
  private settle(board: Board, change: Partial<Shown> = {}): void {
    const now = Date.now();
    this.set({ ...change, now, board: { ...board, selected: heldSelection(board, now) } });
  }
}

/** The selection, made fast where it was only "whatever stands first". What was just put away is not that. */
export const heldSelection = (board: Board, now: number, away: string | null = null): string | null => {
  if (board.selected !== null && board.sessions.has(board.selected)) return board.selected;
  const rows = rowsOf(board, now);
  return (rows.find(({ session }) => session.id !== away) ?? rows[0])?.session.id ?? null;
};
