/** The rows of the board. */
import { Box, Text } from 'ink';
import {
  changesLabel,
  collisionLabel,
  firstShown,
  linesLabel,
  type Row,
  rowLabel,
  titleOf,
} from '../client/board.ts';
import { titleKey } from '../client/board/labels.ts';
import { hasHosts, hostLabel, lastKnownText } from '../client/fleet-text.ts';
import { summaryLine } from '../client/request-text.ts';
import { ago, clean, cut, fit, line, pad } from '../client/text.ts';
import { whereOf } from '../contract/origin.ts';
import { styleOf } from './theme.ts';
import { shortId } from '../contract/short-id.ts';

const icons = { ready: '[⏸]', working: '[▶]', waiting: '[⏸]', background: '[▶]', ended: '[■]' } as const;

/** Columns of the longest usual state; `no progress for 2 h 12 min` is cut. */
const stateWidth = 15;

export const List = (props: {
  rows: Row[];
  selected: number;
  width: number;
  height: number;
  now: number;
  colours: boolean;
  marked: ReadonlySet<string>;
}) => {
  const { rows, selected, width, height, now, colours, marked } = props;
  const first = firstShown(selected, rows.length, height);
  const equal = equalTitles(rows);
  const isFleet = hasHosts(rows.map(({ session }) => session));
  const longest = Math.max(...rows.map(({ session }) => hostLabel(session).length));
  const hosts = isFleet ? Math.min(longest, width >= wideFrom ? 12 : 8) : 0;
  // A narrow screen has room for the host, or for project and changes.
  const hasTitles =
    rows.some(({ session }) => session.titleFrom !== 'project') && (!isFleet || width >= wideFrom);
  // The time of a usage limit or of a deadline is not cut.
  const states = Math.max(
    stateWidth,
    ...rows
      .filter(({ session }) => session.limit || session.deadline !== null)
      .map(row => rowLabel(row, now).length),
  );
  const hasBranches = rows.some(({ session }) => session.branch !== null);
  const hasChanges =
    (!isFleet || width >= wideFrom) &&
    rows.some(({ session }) => session.changes !== null || session.collisions.length > 0);
  return (
    <Box flexDirection="column" width={width} height={height}>
      {rows.slice(first, first + height).map((row, n) => {
        const isSelected = first + n === selected;
        const text = `${isSelected ? '>' : ' '}${textOf(row, { width, now, equal, isMarked: marked.has(row.session.id), hosts, hasTitles, hasBranches, hasChanges, states })}`;
        return (
          <Text
            key={row.session.id}
            wrap="truncate"
            {...styleOf(row, colours)}
            {...(isSelected && { bold: true, inverse: colours })}
          >
            {isSelected ? fit(text, width) : cut(text, width)}
          </Text>
        );
      })}
    </Box>
  );
};

/** From this width on a row has the id and the branch. */
const wideFrom = 100;

interface RowOptions {
  width: number;
  now: number;
  isMarked: boolean;
  /** Titles that several sessions have. */
  equal: Set<string>;
  /** Columns of the host; 0 where all sessions are of this one. */
  hosts: number;
  /** Some title is not the project, which then has its own column. */
  hasTitles: boolean;
  hasBranches: boolean;
  hasChanges: boolean;
  /** Columns of the state. */
  states: number;
}

const textOf = (row: Row, options: RowOptions): string => {
  const { width, now, isMarked, equal, hosts, hasTitles, hasBranches, hasChanges, states } = options;
  const { session, position, deferred, until } = row;
  const { id, state, hooks, project } = session;
  const where = hosts > 0 ? '' : whereOf(session);
  const age = deferred && until !== null ? `for ${ago(now, until)}` : ago(session.since, now);
  const collision = collisionLabel(session);
  const summary = `${collision ? `(${collision}) ` : ''}${hooks === 'silent' ? '(hooks silent) ' : ''}${where ? `(on ${where}) ` : ''}${summaryText(session)}`;
  const column = (text: string, columns: number) => pad(line(text, columns), columns);
  const isWide = width >= wideFrom;
  const titleWidth = width >= 72 ? 20 : 12;
  const title = titleOf(session);
  const number = String(position ?? '');
  return [
    isMarked ? `*${number.padStart(1)}` : number.padStart(2),
    icons[state],
    ...(isWide ? [shortId(clean(id))] : []),
    column(rowLabel(row, now), states),
    age.padStart(9),
    ...(hosts > 0 ? [column(hostLabel(session), hosts)] : []),
    equal.has(titleKey(session)) && !isWide
      ? `${column(title, titleWidth - 9)} ${shortId(clean(id))}`
      : column(title, titleWidth),
    ...(hasTitles ? [column(session.titleFrom === 'project' ? '' : (project ?? '-'), 10)] : []),
    ...(isWide && hasBranches ? [column(branchText(session), 14)] : []),
    ...(hasChanges ? [column(changesText(session, isWide), isWide ? 22 : 12)] : []),
    line(summary, width),
  ].join(' ');
};

const summaryText = (session: Row['session']): string =>
  [lastKnownText(session), summaryLine(session)].filter(Boolean).join(' ');

const branchText = ({ branch, worktree }: Row['session']): string =>
  branch === null ? '' : `${branch}${worktree ? ' (worktree)' : ''}`;

/** On a narrow screen only the lines: the panel of `f` has the files. `!` marks a collision. */
const changesText = (session: Row['session'], isWide: boolean): string => {
  const label = isWide || !session.changes ? changesLabel(session) : linesLabel(session.changes);
  return `${session.collisions.length > 0 ? '! ' : ''}${label}`;
};

/** Titles that several sessions of a host have. They get a short id. */
const equalTitles = (rows: Row[]): Set<string> => {
  const seen = new Set<string>();
  const equal = new Set<string>();
  for (const { session } of rows) {
    const title = titleKey(session);
    if (seen.has(title)) equal.add(title);
    seen.add(title);
  }
  return equal;
};
