/** The panel with the changes of one session: opened with `f`, scrolled like any long text. */
import type { Changes } from '../../contract/changes.ts';
import type { Session } from '../../contract/session.ts';
import { diffTexts, fileLines } from '../changes-text.ts';
import { wrap } from '../text.ts';
import { changesLabel } from './labels.ts';
import { scrollStep } from './scroll.ts';
import type { Board, ChangesEntry, Pressed } from './state.ts';
import { labelOf } from './targets.ts';

export const openChanges = (board: Board, session: Session): Board => ({
  ...board,
  entry: {
    kind: 'changes',
    text: '',
    id: session.id,
    label: labelOf([session]),
    changes: null,
    loadedFor: null,
    scroll: 0,
  },
});

export const isChangesEntry = (entry: Board['entry']): entry is ChangesEntry => entry?.kind === 'changes';

/** The session whose changes the panel needs: none are loaded, or there are new ones. */
export const changesToLoad = ({ entry, sessions }: Board): { id: string; counted: string } | null => {
  if (!isChangesEntry(entry)) return null;
  const counted = countedOf(sessions.get(entry.id));
  return entry.changes === null || entry.loadedFor !== counted ? { id: entry.id, counted } : null;
};

const countedOf = (session: Session | undefined): string =>
  session ? `${changesLabel(session)} ${session.collisions.length}` : '';

export const withLoadedChanges = (board: Board, changes: Changes, counted: string): Board =>
  isChangesEntry(board.entry) && board.entry.id === changes.sessionId
    ? { ...board, entry: { ...board.entry, changes, loadedFor: counted } }
    : board;

/** Applies a key to the panel. `page` is the number of its visible lines. */
export const pressChanges = (board: Board, entry: ChangesEntry, key: string, page: number): Pressed => {
  if (key === 'escape' || key === 'q' || key === 'f' || key === 'enter')
    return { board: { ...board, entry: null }, command: null };
  const scroll = Math.max(0, entry.scroll + scrollStep(key, page, false));
  return { board: { ...board, entry: { ...entry, scroll } }, command: null };
};

/** The changes in lines of `width` columns. */
export const changesLines = ({ changes }: ChangesEntry, width: number, now: number): string[] => {
  if (!changes) return ['Loading …'];
  const known = wrapped.get(changes);
  if (known?.width === width) return known.lines;
  const lines = [...fileLines(changes, now), ...diffTexts(changes, clockOf)].flatMap(text =>
    wrap(text, width),
  );
  wrapped.set(changes, { width, lines });
  return lines;
};

/** Diffs can be megabytes long, and are drawn at every key. */
const wrapped = new WeakMap<Changes, { width: number; lines: string[] }>();

const clockOf = (at: number): string => {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map(part => String(part).padStart(2, '0')).join(':');
};
