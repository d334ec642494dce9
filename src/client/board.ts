/**
 * The board without a screen: sessions and keys in, rows and wishes out. Pure, so that a terminal and a web page show the
 * same thing and obey the same keys. `now` is always given.
 */
import type { Answer } from '../contract/answer.ts';
import type { Held, Order } from '../contract/queue.ts';
import type { Session } from '../contract/session.ts';
import { isQueued, queueOf } from '../session/queue.ts';
import { durationOf } from './duration.ts';

/** How the board stands to the daemon. Down, empty and starting must not look the same. */
export type Link = 'starting' | 'live' | 'down';

export type Entry =
  | { kind: 'filter' | 'snooze'; text: string }
  /** The request that was selected when the key was pressed: what is selected may change under the hand. */
  | { kind: 'allow' | 'deny'; text: string; id: string; hold: number; asks: string };

export interface Board {
  sessions: ReadonlyMap<string, Session>;
  order: Order;
  link: Link;
  /** Null: whatever stands first. */
  selected: string | null;
  filter: string;
  /** What is being typed into the last line. */
  entry: Entry | null;
  help: boolean;
  /** Lines of the detail that are scrolled past. */
  scroll: number;
  /** The key before, for `gg`. */
  last: string;
  /** What became of the last wish. */
  notice: string | null;
}

export type Group = 'waiting' | 'held' | 'working' | 'ready' | 'ended';

export interface Row {
  session: Session;
  group: Group;
  /** Its turn among those that wait and are not held. */
  turn: number | null;
  held: Held | null;
  until: number | null;
}

/** What a key asks for beyond the board itself. */
export type Wish =
  | { kind: 'go' | 'skip' | 'dismiss' | 'resume'; id: string }
  | { kind: 'snooze'; id: string; seconds: number }
  | { kind: 'answer'; id: string; answer: Answer }
  | { kind: 'next' }
  | { kind: 'quit' };

export const emptyBoard: Board = {
  sessions: new Map(),
  order: 'fifo',
  link: 'starting',
  selected: null,
  filter: '',
  entry: null,
  help: false,
  scroll: 0,
  last: '',
  notice: null,
};

/** Ended sessions that stay on the board, newest first. */
export const endedShown = 20;

/** The keys, as `?` lists them. */
export const keys: [key: string, what: string][] = [
  ['j k ↓ ↑', 'down, up'],
  ['gg G', 'first, last'],
  ['^d ^u', 'half a page down, up'],
  ['1-9', 'select by turn'],
  ['J K', 'scroll what it asks'],
  ['Enter l', 'go to the session'],
  ['Tab', 'go to the next in the queue'],
  ['a x', 'allow, deny what a held session asks'],
  ['s', 'skip: to the tail, passed over for 30 s'],
  ['z', 'snooze: passed over for a time'],
  ['d', 'dismiss: passed over until its state changes'],
  ['/', 'filter; Esc clears it'],
  ['R', 'take an ended session up again'],
  ['?', 'these keys'],
  ['q', 'leave'],
];

/** All live sessions, as the daemon tells them at the beginning; what had ended before stays. */
export const told = (board: Board, live: Session[]): Board => {
  const ended = Array.from(board.sessions.values()).filter(({ state }) => state === 'ended');
  return withSessions({ ...board, link: 'live' }, [...ended, ...live]);
};

/** Some sessions in their new form. */
export const changed = (board: Board, sessions: Session[]): Board =>
  withSessions(board, [...board.sessions.values(), ...sessions]);

const withSessions = (board: Board, sessions: Session[]): Board => {
  const all = new Map(sessions.map(session => [session.id, session]));
  const ended = Array.from(all.values())
    .filter(({ state }) => state === 'ended')
    .sort((a, b) => b.since - a.since);
  for (const { id } of ended.slice(endedShown)) all.delete(id);
  return { ...board, sessions: all };
};

/** Every row that the filter lets through, in the order of need. */
export const rowsOf = (board: Board, now: number): Row[] => {
  const sessions = Array.from(board.sessions.values()).filter(
    session => !session.headless && matches(session, board.filter),
  );
  const queue = queueOf(sessions, now, board.order).map(({ session, held, until }) => ({
    session,
    held,
    until,
  }));
  const free = queue.filter(({ held }) => held === null);
  const held = queue.filter(row => row.held !== null);
  const rest = (group: Group, ...states: Session['state'][]): Row[] =>
    sessions
      .filter(session => states.includes(session.state) && !isQueued(session))
      .sort((a, b) => b.since - a.since || (a.id < b.id ? -1 : 1))
      .map(session => ({ session, group, turn: null, held: null, until: null }));
  return [
    ...free.map((row, n) => ({ ...row, group: 'waiting' as const, turn: n + 1 })),
    ...held.map(row => ({ ...row, group: 'held' as const, turn: null })),
    ...rest('working', 'working', 'background'),
    ...rest('ready', 'ready'),
    ...rest('ended', 'ended'),
  ];
};

/** Where the selection is; -1 when there is nothing to select. */
export const selectedIn = (board: Board, rows: Row[]): number => {
  const found = rows.findIndex(({ session }) => session.id === board.selected);
  return found >= 0 ? found : rows.length ? 0 : -1;
};

/** The first row to show so that the selected one is in sight, given how many fit. */
export const firstShown = (selected: number, count: number, room: number): number =>
  Math.max(0, Math.min(selected - Math.floor(room / 2), count - room));

/** What a key does. Keys are single letters, or `enter`, `tab`, `escape`, `backspace`, `up`, `down`, `ctrl-d`, … */
export const press = (
  before: Board,
  key: string,
  now: number,
  page = 10,
): { board: Board; wish: Wish | null } => {
  const board = { ...before, notice: null, last: key };
  const none = (next: Board) => ({ board: next, wish: null });
  if (key === 'ctrl-c') return { board, wish: { kind: 'quit' } };
  if (board.entry) return typed(board, board.entry, key, now);
  if (board.help) return none({ ...board, help: false });
  const rows = rowsOf(board, now);
  const at = selectedIn(board, rows);
  const row = rows[at];
  const select = (index: number) => {
    const wanted = rows[Math.max(0, Math.min(index, rows.length - 1))];
    return none({ ...board, selected: wanted?.session.id ?? null, scroll: 0 });
  };
  if (/^[1-9]$/.test(key)) return select(Number(key) - 1);
  switch (key) {
    case 'j':
    case 'down':
      return select(at + 1);
    case 'k':
    case 'up':
      return select(at - 1);
    case 'ctrl-d':
    case 'pagedown':
      return select(at + Math.ceil(page / 2));
    case 'ctrl-u':
    case 'pageup':
      return select(at - Math.ceil(page / 2));
    case 'g':
      // The second of two, and not the first of the next two.
      return before.last === 'g' ? select(0) : none(board);
    case 'home':
      return select(0);
    case 'G':
    case 'end':
      return select(rows.length - 1);
    case 'J':
      return none({ ...board, scroll: board.scroll + 1 });
    case 'K':
      return none({ ...board, scroll: Math.max(0, board.scroll - 1) });
    case '/':
      return none({ ...board, entry: { kind: 'filter', text: board.filter } });
    case 'escape':
      return none({ ...board, filter: '', selected: null });
    case '?':
      return none({ ...board, help: true });
    case 'q':
      return { board, wish: { kind: 'quit' } };
    case 'tab':
      return { board, wish: { kind: 'next' } };
    case 'enter':
    case 'l':
      return { board, wish: row ? { kind: 'go', id: row.session.id } : null };
    case 'a':
    case 'x':
      return none(row ? { ...board, ...answering(row.session, key) } : board);
    case 'R':
      return resuming(board, row);
    case 's':
    case 'd':
    case 'z':
      return row ? inQueue(board, row, key) : none(board);
    default:
      return none(board);
  }
};

/** Takes an ended session up again; one that lives is gone to with Enter. */
const resuming = (board: Board, row: Row | undefined): { board: Board; wish: Wish | null } => {
  if (!row) return { board, wish: null };
  if (row.session.state !== 'ended')
    return { board: { ...board, notice: 'it is live: Enter goes there' }, wish: null };
  return { board, wish: { kind: 'resume', id: row.session.id } };
};

/** Asks once more before it is answered: an answer cannot be taken back. */
const answering = (session: Session, key: 'a' | 'x'): Pick<Board, 'entry' | 'notice'> => {
  const { id, pending, approvals, detail } = session;
  const not = (notice: string) => ({ entry: null, notice });
  if (!pending)
    return not(approvals === 'held' ? 'it waits for no answer' : 'it is not held: Enter goes to its dialog');
  if (key === 'a' && detail?.questions.length)
    return not(`a question: \`drover answer ${id.slice(0, 8)} …\` answers it, Enter goes there`);
  const asks = detail?.line ?? pending.tool ?? 'it';
  return {
    entry: { kind: key === 'a' ? 'allow' : 'deny', text: '', id, hold: pending.id, asks },
    notice: null,
  };
};

const inQueue = (board: Board, row: Row, key: 's' | 'd' | 'z'): { board: Board; wish: Wish | null } => {
  const { id } = row.session;
  if (!isQueued(row.session)) return { board: { ...board, notice: 'it does not wait' }, wish: null };
  if (key === 'z') return { board: { ...board, entry: { kind: 'snooze', text: '10min' } }, wish: null };
  // What stands first now is looked at next, not what was put away.
  const next = { ...board, selected: null };
  return { board: next, wish: { kind: key === 's' ? 'skip' : 'dismiss', id } };
};

const typed = (board: Board, entry: Entry, key: string, now: number): { board: Board; wish: Wish | null } => {
  const none = (next: Board) => ({ board: next, wish: null });
  const written = (text: string) =>
    none({
      ...board,
      entry: { ...entry, text },
      ...(entry.kind === 'filter' && { filter: text, selected: null }),
    });
  if (key === 'escape') {
    const cleared = entry.kind === 'filter' ? { filter: '', selected: null } : {};
    return none({ ...board, entry: null, ...cleared });
  }
  if (key === 'backspace') return written(Array.from(entry.text).slice(0, -1).join(''));
  if (key === 'ctrl-u') return written('');
  if (key === 'enter') return entered(board, entry, now);
  if (entry.kind === 'allow') return none({ ...board, entry: null });
  return written(Array.from(key).length === 1 ? `${entry.text}${key}`.slice(0, 200) : entry.text);
};

const entered = (board: Board, entry: Entry, now: number): { board: Board; wish: Wish | null } => {
  const closed = { ...board, entry: null };
  if (entry.kind === 'filter') return { board: closed, wish: null };
  if ('hold' in entry) return { board: closed, wish: answerWish(entry) };
  const length = durationOf(entry.text.trim());
  if (!length)
    return {
      board: { ...closed, notice: `${JSON.stringify(entry.text)} is no length of time, such as 10min or 2h` },
      wish: null,
    };
  const rows = rowsOf(board, now);
  const row = rows[selectedIn(board, rows)];
  return {
    board: { ...closed, selected: null },
    wish: row ? { kind: 'snooze', id: row.session.id, seconds: length / 1_000 } : null,
  };
};

const answerWish = ({ kind, id, hold, text }: Extract<Entry, { hold: number }>): Wish => ({
  kind: 'answer',
  id,
  answer: { id: hold, behavior: kind, ...(text.trim() !== '' && { message: text.trim() }) },
});

/** Every word of the filter is in the id, the project, the state, the pane or what is asked. */
const matches = (session: Session, filter: string): boolean => {
  if (filter.trim() === '') return true;
  const { id, state, reason, project, dir, pane, detail } = session;
  const text = [id, state, reason, project, dir, pane?.session, pane?.window, detail?.line]
    .join(' ')
    .toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
};
