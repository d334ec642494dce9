/** Computes the layout for a screen of a given size. */
import {
  type AnswerEntry,
  type Board,
  changesLines,
  choiceLines,
  detailLines,
  type Frame,
  isAnswerEntry,
  isChangesEntry,
  panelLines,
  type Row,
} from '../client/board.ts';
import { type FootLine, footOf } from './foot.ts';

export interface Size {
  columns: number;
  rows: number;
}

/** A part of a long text. */
export interface Text extends Frame {
  /** The visible lines. */
  lines: string[];
  /** How many come before them, and how many there are. */
  first: number;
  count: number;
}

export interface Layout {
  width: number;
  /** Rows between head and foot. */
  height: number;
  /** List and detail are side by side. */
  isWide: boolean;
  list: { width: number; height: number };
  detail: { width: number; height: number };
  /** The request in the answer panel, or the request or message of the selected session. */
  text: Text;
  /** What can be chosen in the answer panel, below its text. */
  choices: string[];
  foot: FootLine[];
  /** Rows or lines that a page key moves by. */
  page: number;
}

/** From this width on the list and the selected session are side by side. */
const wideFrom = 110;

/** A frame as high as the screen would make Ink clear it every time. */
const spare = 1;

export const layoutOf = (board: Board, rows: Row[], selected: number, size: Size, now = 0): Layout => {
  const width = size.columns;
  const foot = footOf(board, rows[selected], size);
  const height = Math.max(1, size.rows - spare - 1 - foot.length);
  const isWide = width >= wideFrom;
  const list = {
    width: isWide ? Math.floor(width * 0.48) : width,
    height: isWide ? height : Math.max(1, Math.min(rows.length, Math.floor(height * 0.45))),
  };
  const detail = isWide
    ? { width: width - list.width - 1, height }
    : { width, height: Math.max(0, height - list.height) };
  const { entry } = board;
  const session = rows[selected]?.session;
  const lines = session && !isAnswerEntry(entry) ? detailLines(board, session, detail.width - 1) : [];
  const { text, choices } = isAnswerEntry(entry)
    ? panelOf(board, entry, width, height)
    : isChangesEntry(entry)
      ? { text: windowOf(changesLines(entry, width - 1, now), entry.scroll, height - 1), choices: [] }
      : { text: detailText(lines, board.scroll, detail.height), choices: [] };
  const page =
    isAnswerEntry(entry) || isChangesEntry(entry) ? Math.max(1, height - choices.length - 2) : list.height;
  return { width, height, isWide, list, detail, text, choices, foot, page };
};

/** The choices stay in sight below the text. Where they would take most of the room, they are the end of the text. */
const panelOf = (
  board: Board,
  entry: AnswerEntry,
  width: number,
  height: number,
): { text: Text; choices: string[] } => {
  const lines = panelLines(board, entry, width - 1);
  const choices = choiceLines(entry, width - 1);
  const room = height - 1;
  if (choices.length === 0 || choices.length + 1 > room * 0.6)
    return {
      text: windowOf([...lines, ...(choices.length ? [''] : []), ...choices], entry.scroll, room),
      choices: [],
    };
  return { text: windowOf(lines, entry.scroll, room - choices.length - 1), choices: ['', ...choices] };
};

/** The text comes first; the screen of the pane gets the rest, and at least half of the room. */
const detailText = (lines: string[], scroll: number, height: number): Text =>
  windowOf(lines, scroll, Math.max(1, Math.min(lines.length, Math.floor(height / 2) - 1)));

const windowOf = (lines: string[], scroll: number, room: number): Text => {
  const maxScroll = Math.max(0, lines.length - room);
  const first = Math.min(scroll, maxScroll);
  return {
    lines: lines.slice(first, first + Math.max(0, room)),
    first,
    count: lines.length,
    maxScroll,
    isEnd: room > 0 && first === maxScroll,
  };
};
