/** The state of the board, and the commands that go beyond it. */
import type { Answer, Request, RequestPage } from '../../contract/answer.ts';
import type { Project } from '../../contract/api.ts';
import type { Changes } from '../../contract/changes.ts';
import type { FleetSummary } from '../../contract/fleet.ts';
import type { Order } from '../../contract/queue.ts';
import type { Session } from '../../contract/session.ts';
import type { NewSession } from '../new-session.ts';

/** The connection to the daemon. */
export type Link = 'starting' | 'live' | 'down';

/** How long to snooze one session, for the wait that the user saw; with marks, several. */
export interface SnoozeEntry {
  kind: 'snooze';
  text: string;
  id: string;
  /** The beginning of that wait. */
  since: number;
  /** The session as text. */
  label: string;
  /** All sessions that it applies to. */
  ids: string[];
}

/** A text field for one session, or a message to several: what is written, renamed or tagged. */
export interface TextEntry {
  kind: 'message' | 'rename' | 'tag';
  text: string;
  ids: string[];
  label: string;
}

/** Asks before a turn is interrupted, or sessions are parked or resumed. */
export interface ConfirmEntry {
  kind: 'confirm';
  action: 'interrupt' | 'park' | 'resume';
  text: '';
  id: string;
  ids: string[];
  label: string;
  shownAt: number;
}

/** What was ticked or written for one question, or for one field of a form. */
export interface StepAnswer {
  picked: string[];
  text: string;
}

/** The answer panel: pinned to one request of one session. */
export interface AnswerEntry {
  kind: 'answer';
  id: string;
  /** The id of the request. */
  request: number;
  /** The request in one line. */
  summary: string;
  /** The complete request with its choices; null while it loads. */
  page: RequestPage | null;
  /** The deadline of the hold when the page was loaded: another one means other choices. */
  loadedFor: number | null;
  /** When the page was loaded, ms. */
  loadedAt: number;
  /** The chosen one of its choices. */
  choice: string | null;
  /** With a choice that takes one: the message for the model. */
  text: string;
  /** Letters are text: the message, or a free answer. */
  isWriting: boolean;
  /** The question or field that is shown, and the answers so far. */
  step: number;
  answers: StepAnswer[];
  /** The effect of the choice is on the screen, and Enter confirms it. */
  isConfirming: boolean;
  /** Opened with `x`: the denial is chosen as soon as the choices are known. */
  isDenial: boolean;
  /** When the complete request was first on the screen, or the panel was opened, ms. */
  shownAt: number;
  /** Lines that are scrolled past. */
  scroll: number;
  /** Its last line has been on the screen. */
  isRead: boolean;
  /** Why it can no longer be answered here, such as who answered it. Any key closes the panel. */
  over: string | null;
}

/** The form for a new session. */
export interface NewEntry {
  kind: 'new';
  /** What is typed in the search for a project. */
  text: string;
  field: NewField;
  /** The selected one of the matching projects. */
  cursor: number;
  prompt: string;
  /** The index of its mode. */
  mode: number;
  worktree: boolean;
}
export type NewField = 'project' | 'prompt' | 'mode' | 'worktree';

/** The panel with the changes of one session. */
export interface ChangesEntry {
  kind: 'changes';
  text: '';
  id: string;
  label: string;
  /** Null while they load. */
  changes: Changes | null;
  /** The counts of the session when they were loaded: other ones mean other changes. */
  loadedFor: string | null;
  /** Lines that are scrolled past. */
  scroll: number;
}

/** An open field, panel or form. Those of a session close when it changes. */
export type Entry =
  | { kind: 'filter'; text: string }
  | SnoozeEntry
  | TextEntry
  | ConfirmEntry
  | AnswerEntry
  | ChangesEntry
  | NewEntry;

export interface Board {
  sessions: ReadonlyMap<string, Session>;
  order: Order;
  link: Link;
  /** The other hosts; null where this machine has joined no fleet. */
  fleet: FleetSummary | null;
  /** Null: the first row. */
  selected: string | null;
  /** When the user selected it, ms. */
  selectedAt: number;
  /** Sessions that were marked for one command. */
  marked: ReadonlySet<string>;
  /** What was deferred, the last one at the end. */
  undo: string[][];
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
  /** Known project directories; null until they are needed. */
  projects: Project[] | null;
  /**
   * The selected session as last painted, and when the board itself selected it, ms. Null: the user
   * chose it just now, or nothing was painted.
   */
  painted: { id: string | null; since: number } | null;
  /** Keys are ignored until then: they were meant for a field that closed by itself. */
  ignoreKeysUntil: number;
}

export const emptyBoard: Board = {
  sessions: new Map(),
  order: 'blocked-first',
  link: 'starting',
  fleet: null,
  selected: null,
  selectedAt: 0,
  marked: new Set(),
  undo: [],
  filter: '',
  entry: null,
  help: false,
  scroll: 0,
  last: '',
  notice: null,
  picked: null,
  loaded: new Map(),
  projects: null,
  painted: null,
  ignoreKeysUntil: 0,
};

/** A command for one session. */
export type SessionCommand =
  | { kind: 'go' | 'skip' | 'dismiss' | 'resume' | 'undo' | 'interrupt' | 'park'; id: string }
  | { kind: 'snooze'; id: string; seconds: number }
  | { kind: 'message'; id: string; text: string }
  | { kind: 'rename'; id: string; title: string | null }
  | { kind: 'tag'; id: string; add: string[]; remove: string[] }
  | { kind: 'answer'; id: string; answer: Answer };

/** A command of a key that goes beyond the board itself. */
export type BoardCommand =
  | SessionCommand
  /** The same for several sessions, one after another. */
  | { kind: 'several'; commands: SessionCommand[] }
  | { kind: 'create'; form: NewSession }
  /** Open the page, with the session where one is selected. */
  | { kind: 'page'; id: string | null }
  | { kind: 'next' }
  | { kind: 'quit' };

/** The result of a key. */
export interface Pressed {
  board: Board;
  command: BoardCommand | null;
}

export const isAnswerEntry = (entry: Entry | null): entry is AnswerEntry => entry?.kind === 'answer';

/** Whether a text field is open, where letters are text. */
export const isTyping = ({ entry }: Board): boolean => {
  if (entry === null || entry.kind === 'confirm' || entry.kind === 'changes') return false;
  if (entry.kind === 'answer') return entry.isWriting && entry.over === null;
  return entry.kind !== 'new' || entry.field === 'project' || entry.field === 'prompt';
};
