/** The state of the board, and the commands that go beyond it. */
import type { Answer, Request } from '../../contract/answer.ts';
import type { Order } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';

/** The connection to the daemon. */
export type Link = 'starting' | 'live' | 'down';

/** How long to snooze one session, for the wait that the user saw. */
export interface SnoozeEntry {
  kind: 'snooze';
  text: string;
  id: string;
  /** The beginning of that wait. */
  since: number;
  /** The session as text. */
  label: string;
}

/** The confirmation of an answer to one request of one session. */
export interface AnswerEntry {
  kind: 'allow' | 'deny';
  /** With `deny`: the message for the model. */
  text: string;
  id: string;
  /** The id of the request. */
  request: number;
  /** The request in one line. */
  summary: string;
  /** When the complete request was first on the screen, or the confirmation was opened, ms. */
  shownAt: number;
  /** Lines that are scrolled past. */
  scroll: number;
  /** Its last line has been on the screen. */
  isRead: boolean;
}

/** An open field or confirmation. All but the filter belong to one session, and close when it changes. */
export type Entry = { kind: 'filter'; text: string } | SnoozeEntry | AnswerEntry;

export interface Board {
  sessions: ReadonlyMap<string, Session>;
  order: Order;
  link: Link;
  /** Null: the first row. */
  selected: string | null;
  filter: string;
  entry: Entry | null;
  help: boolean;
  /** Lines of the detail that are scrolled past. */
  scroll: number;
  /** The key before, for `gg`. */
  last: string;
  /** The result of the last command. */
  notice: string | null;
  /** The open request that was picked with `[` or `]`. Null: the first of each session. */
  picked: number | null;
  /** Complete requests by their ids, as far as they were fetched. */
  loaded: ReadonlyMap<number, Request>;
  /**
   * The selected session as the user saw it last, and since when it is that one without the user's doing, ms. Null: the user
   * chose it just now, or nothing was painted.
   */
  painted: { id: string | null; since: number } | null;
  /** Keys are ignored until then: they were meant for a field that closed by itself. */
  ignoreKeysUntil: number;
  /** The request whose confirmation closed by itself; its outcome is still to be read. */
  gone: { id: string; request: number } | null;
}

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
  picked: null,
  loaded: new Map(),
  painted: null,
  ignoreKeysUntil: 0,
  gone: null,
};

/** A command of a key that goes beyond the board itself. */
export type BoardCommand =
  | { kind: 'go' | 'skip' | 'dismiss' | 'resume'; id: string }
  | { kind: 'snooze'; id: string; seconds: number }
  | { kind: 'answer'; id: string; answer: Answer }
  | { kind: 'next' }
  | { kind: 'quit' };

/** The result of a key. */
export interface Pressed {
  board: Board;
  command: BoardCommand | null;
}

export const isAnswerEntry = (entry: Entry | null): entry is AnswerEntry =>
  entry?.kind === 'allow' || entry?.kind === 'deny';

/** Whether a text field is open, where letters are text. */
export const isTyping = ({ entry }: Board): boolean => entry !== null && entry.kind !== 'allow';
