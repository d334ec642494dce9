/** Computes the layout for a screen of a given size. */
import {
  type Board,
  confirmLines,
  detailLines,
  type Frame,
  isAnswerEntry,
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
  /** The confirmation, or the request or message of the selected session. */
  text: Text;
  foot: FootLine[];
  /** Rows or lines that a page key moves by. */
  page: number;
}

/** From this width on the list and the selected session are side by side. */
const wideFrom = 110;

/** A frame as high as the screen would make Ink clear it every time. */
const spare = 1;

export const layoutOf = (board: Board, rows: Row[], selected: number, size: Size): Layout => {
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
  const text = isAnswerEntry(entry)
    ? windowOf(confirmLines(board, entry, width - 1), entry.scroll, height - 1)
    : detailText(session ? detailLines(board, session, detail.width - 1) : [], board.scroll, detail.height);
  const page = isAnswerEntry(entry) ? Math.max(1, height - 2) : list.height;
  return { width, height, isWide, list, detail, text, foot, page };
};

/** The text comes first; the screen of the pane gets the rest, and at least half of the room. */
const detailText = (lines: string[], scroll: number, height: number): Text =>
  windowOf(lines, scroll, Math.max(1, Math.min(lines.length, Math.floor(height / 2) - 1)));

const windowOf = (lines: string[], scroll: number, room: number): Text => {
  const most = Math.max(0, lines.length - room);
  const first = Math.min(scroll, most);
  return {
    lines: lines.slice(first, first + Math.max(0, room)),
    first,
    count: lines.length,
    most,
    isEnd: room > 0 && first === most,
  };
};
