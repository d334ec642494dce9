/** Formats sessions as a table that fits the terminal: a narrow one leaves out columns, and the request gets the rest. */
import type { Session } from '../../contract/session.ts';
import { whereOf } from '../../contract/origin.ts';
import { queueOf } from '../../session/queue/queue.ts';
import {
  branchLabel,
  changesLabel,
  collisionLabel,
  deferredLabel,
  distinctTitles,
  memoryLabel,
  stateText,
  titleOf,
} from '../../client/board/labels.ts';
import { awayText, hasHosts, hostLabel, isStale, lastKnownText } from '../../client/fleet-text.ts';
import { summaryLine } from '../../client/request-text.ts';
import { ago, line, pad, wide } from '../../client/text.ts';
import { shortId } from '../../contract/short-id.ts';

const icons = { ready: '[⏸]', working: '[▶]', waiting: '[⏸]', background: '[▶]', ended: '[■]' } as const;

const colours = { ready: 0, working: 32, waiting: 33, background: 36, ended: 90 } as const;

export interface TableRow {
  text: string;
  /** ANSI colour code; 0 for none. */
  colour: number;
}

interface Column {
  head: string;
  cell: (session: Session, list: List) => string;
  /** Maximum width. */
  cap: number;
  /** Shown from this width of the terminal on. */
  from?: number;
  /** Only in a list with sessions of several hosts. */
  isForHosts?: boolean;
  /** A narrow list with several hosts leaves it out. */
  yieldsToHosts?: boolean;
  /** Left out where the request would have too little room; the lowest goes first. */
  spare?: number;
  /** Maximum width where that is not enough. */
  narrow?: number;
}

type Sized = Column & { cells: string[]; width: number };

interface List {
  now: number;
  /** The titles by session, made distinct. */
  titles: Map<string, string>;
  hasIds: boolean;
  placeOf: PlaceOf;
}

/** Describes where a session outside tmux runs; null if unknown. */
export type PlaceOf = (session: Session) => string | null;

/** Below this width titles that are equal get the short id, which has no column of its own there. */
const idsFrom = 100;

const columns: Column[] = [
  { head: '', cell: ({ state }) => icons[state], cap: 3, from: idsFrom, spare: 5 },
  { head: 'session', cell: ({ id }) => shortId(id), cap: 8, from: idsFrom },
  { head: 'state', cell: (session, { now }) => stateCell(session, now), cap: 40, narrow: 24 },
  { head: 'age', cell: ({ since }, { now }) => ago(since, now), cap: 10 },
  { head: 'host', cell: session => hostLabel(session) || '-', cap: 12, isForHosts: true },
  { head: 'title', cell: (session, list) => titleCell(session, list), cap: 20 },
  { head: 'project', cell: ({ project }) => project ?? '-', cap: 10, yieldsToHosts: true },
  { head: 'branch', cell: session => branchLabel(session) || '-', cap: 20, from: idsFrom, narrow: 12 },
  { head: 'changes', cell: session => changesLabel(session) || '-', cap: 22, from: idsFrom, spare: 4 },
  { head: 'pane', cell: (session, { placeOf }) => paneCell(session, placeOf), cap: 24, from: 120, spare: 3 },
  { head: 'memory', cell: session => memoryLabel(session) || '-', cap: 7, from: 120, spare: 2 },
  { head: 'tags', cell: ({ tags }) => tags.join(' '), cap: 16, from: 120, spare: 1 },
];

/** Returns the header and one row per session, or a hint if there are none. */
export const table = (
  sessions: Session[],
  width: number,
  now: number,
  isFiltered = false,
  placeOf: PlaceOf = () => null,
): TableRow[] => {
  if (sessions.length === 0)
    return isFiltered
      ? [{ text: 'No matching sessions', colour: 0 }]
      : [{ text: 'No sessions. Start claude; `drover doctor` checks whether its hooks arrive.', colour: 0 }];
  const list: List = { now, titles: distinctTitles(sessions), hasIds: width >= idsFrom, placeOf };
  const rows = (column: Column) => sessions.map(session => column.cell(session, list));
  const isFleet = hasHosts(sessions);
  const all: Sized[] = columns
    .filter(({ from = 0 }) => width >= from)
    .filter(({ isForHosts = false }) => isFleet || !isForHosts)
    .filter(({ yieldsToHosts = false }) => !isFleet || !yieldsToHosts || width >= idsFrom)
    .map(column => ({ ...column, cells: rows(column) }))
    // A column without content takes no room.
    .filter(
      ({ head, cells }) => head === '' || cells.some(cell => cell !== '' && cell !== '-') || head === 'title',
    )
    .map(column => ({
      ...column,
      width: Math.min(column.cap, Math.max(column.head.length, ...column.cells.map(wide))),
    }));
  const shown = fitted(all, width - requestRoom);
  const used = usedBy(shown);
  const row = (cells: string[], last: string) =>
    [
      ...shown.map((column, n) => pad(line(cells[n] ?? '', column.width), column.width)),
      line(last, Math.max(10, width - used)),
    ]
      .join('  ')
      .trimEnd();
  return [
    {
      text: row(
        shown.map(({ head }) => head),
        'request or last message',
      ),
      colour: 0,
    },
    ...sessions.map((session, n) => ({
      text: row(
        shown.map(({ cells }) => cells[n] ?? ''),
        [lastKnownText(session), summaryLine(session)].filter(Boolean).join(' '),
      ),
      colour: isStale(session) ? colours.ended : colours[session.state],
    })),
  ];
};

/** The least width of the request. */
const requestRoom = 20;

const usedBy = (shown: Sized[]): number => shown.reduce((sum, column) => sum + column.width + 2, 0);

/** Leaves out spare columns, then narrows others, until the rest fits. */
const fitted = (all: Sized[], room: number): Sized[] => {
  const spares = all.flatMap(({ spare }) => (spare === undefined ? [] : [spare])).sort((a, b) => a - b);
  let shown = all;
  for (const spare of spares) {
    if (usedBy(shown) <= room) return shown;
    shown = shown.filter(column => column.spare !== spare);
  }
  if (usedBy(shown) <= room) return shown;
  return shown.map(column => ({ ...column, width: Math.min(column.width, column.narrow ?? column.width) }));
};

const stateCell = (session: Session, now: number): string =>
  [
    awayText(session, now) || stateText(session, now),
    session.hooks === 'silent' ? 'silent' : '',
    deferredLabel(queueOf([session], now)[0]?.deferred ?? null),
    collisionLabel(session),
  ]
    .filter(Boolean)
    .join(' ');

/** Cuts a title but keeps the id that distinguishes it from an equal one. */
const titleCell = (session: Session, { titles, hasIds }: List): string => {
  const title = titleOf(session);
  const distinct = titles.get(session.id) ?? title;
  if (hasIds || distinct === title) return title;
  return `${line(title, 11)} ${shortId(session.id)}`;
};

const paneCell = (session: Session, placeOf: PlaceOf): string =>
  session.pane
    ? `${session.pane.session ?? ''}${session.pane.session ? ' ' : ''}${session.pane.id}`
    : ((session.fleet ? null : whereOf(session)) ?? placeOf(session) ?? '-');
