/** The whole board as it fits the terminal. */
import { Box, Text } from 'ink';
import {
  type Board,
  helpRows,
  isAnswerEntry,
  isChangesEntry,
  nothingText,
  type Row,
  rowsOf,
  selectedIn,
} from '../client/board.ts';
import { quotasOf, quotaText } from '../client/board/quota-text.ts';
import { fleetLabel, isFleetTrouble } from '../client/fleet-text.ts';
import { clean, line, wide } from '../client/text.ts';
import { untestedLabel, untestedVersions } from '../client/untested-text.ts';
import type { Screen as Picture } from '../contract/api.ts';
import { ChangesPanel } from './changes-panel.tsx';
import { Detail } from './detail.tsx';
import type { FootLine } from './foot.ts';
import { layoutOf, type Size } from './layout.ts';
import { List } from './list.tsx';
import { NewForm } from './new-form.tsx';
import { Panel } from './panel.tsx';
import type { Shape } from './board-view.tsx';
import { tint } from './theme.ts';

export const Screen = (props: {
  board: Board;
  preview: Picture | null;
  size: Size;
  now: number;
  colours: boolean;
  shape?: Shape;
}) => {
  const { board, preview, size, now, colours, shape = 'board' } = props;
  const { entry } = board;
  const rows = rowsOf(board, now);
  const selected = selectedIn(board, rows);
  const row = rows[selected];
  const layout = layoutOf(board, rows, selected, size, now);
  const { width, height, isWide, list } = layout;
  const body = isAnswerEntry(entry) ? (
    <Panel {...{ board, entry, layout, colours }} />
  ) : isChangesEntry(entry) ? (
    <ChangesPanel {...{ entry, layout, colours }} />
  ) : entry?.kind === 'new' ? (
    <NewForm {...{ board, entry, width, height, now, colours }} />
  ) : board.help ? (
    <Help {...{ width, height }} />
  ) : row ? (
    <Box flexDirection={isWide ? 'row' : 'column'} height={height}>
      <List
        {...{ rows, selected, now, colours, marked: board.marked }}
        width={list.width}
        height={list.height}
      />
      {isWide && <Box width={1} />}
      <Detail {...{ row, preview, layout, now, colours }} />
    </Box>
  ) : (
    <Box height={height}>
      <Text>{emptyText(board)}</Text>
    </Box>
  );
  const isPanel = shape === 'panel';
  return (
    <Box flexDirection="column" width={width} height={height + 1 + layout.foot.length}>
      {!isPanel && <Head {...{ board, rows, width, colours, now }} />}
      {isPanel && !isAnswerEntry(entry) ? <EmptyPanel {...{ board, height, now }} /> : body}
      {isPanel && <Box flexGrow={1} />}
      {layout.foot
        .filter(given => !isPanel || entry !== null || given.kind === 'notice')
        .map((given, n) => (
          <Foot key={n} line={given} colours={colours} />
        ))}
    </Box>
  );
};

const Head = ({
  board,
  rows,
  width,
  colours,
  now,
}: {
  board: Board;
  rows: Row[];
  width: number;
  colours: boolean;
  now: number;
}) => {
  const count = (group: Row['group']) => rows.filter(row => row.group === group).length;
  const waiting = count('waiting');
  const counts = [
    count('deferred') ? `${count('deferred')} deferred` : '',
    count('limit') ? `${count('limit')} at a limit` : '',
    `${count('working')} working`,
    `${count('ready')} new`,
    count('away') ? `${count('away')} away` : '',
    board.fleet && !isFleetTrouble(board.fleet) ? fleetLabel(board.fleet) : '',
    board.filter ? `filter: ${clean(board.filter)}` : '',
    untestedLabel(untestedVersions(board.sessions.values())),
  ];
  // Before the daemon has answered it is not known whether a session waits.
  const known = board.link === 'live' || board.sessions.size > 0;
  const first = !known ? '' : waiting ? `${waiting} waiting` : 'none waiting';
  const rest = known ? ` · ${counts.filter(Boolean).join(' · ')}` : '';
  const link = linkText(board);
  const quotas = quotasOf(board.sessions.values(), now);
  const fits = (text: string) => wide(`drover ${first}${rest}   ${text}`) <= width;
  const quota = link ? '' : ([5, 0].map(bars => clean(quotaText(quotas, bars))).find(fits) ?? '');
  const room = Math.max(0, width - wide(`drover  ${first}${link}${quota}`) - 2);
  return (
    <Box width={width} justifyContent="space-between">
      <Text wrap="truncate">
        <Text bold>drover </Text>
        <Text bold {...tint(waiting ? 'yellow' : 'green', colours)}>
          {first}
        </Text>
        {` ${line(rest, room)}`}
      </Text>
      {quota && <Text dimColor={colours}>{quota}</Text>}
      {link && (
        <Text bold {...tint(board.link === 'live' ? 'yellow' : 'red', colours)}>
          {link}
        </Text>
      )}
    </Box>
  );
};

const linkText = ({ link, fleet }: Board): string => {
  if (link === 'down') return 'DAEMON DOWN: `drover up`';
  if (link === 'starting') return 'connecting';
  return fleet && isFleetTrouble(fleet) ? line(fleetLabel(fleet), 40) : '';
};

const emptyText = (board: Board): string => {
  if (board.link === 'starting') return 'Connecting to the daemon …';
  if (board.link === 'down') return 'The daemon is down. Start it with `drover up`.';
  if (board.filter) return 'No matching sessions. Esc clears the filter.';
  return 'No sessions. Start `claude`; `drover doctor` checks whether its hooks arrive.';
};

const EmptyPanel = ({ board, height, now }: { board: Board; height: number; now: number }) => (
  <Box height={height} flexDirection="column">
    <Text>{board.link === 'live' ? nothingText(board, now) : emptyText(board)}</Text>
    <Text dimColor>Esc closes</Text>
  </Box>
);

const Foot = ({ line: { kind, text }, colours }: { line: FootLine; colours: boolean }) => {
  if (kind === 'field')
    return (
      <Text wrap="truncate">
        {text}
        <Text inverse> </Text>
      </Text>
    );
  const style = kind === 'notice' ? { bold: true, ...tint('yellow', colours) } : { dimColor: colours };
  return (
    <Text wrap="truncate" {...style}>
      {text}
    </Text>
  );
};

const Help = ({ width, height }: { width: number; height: number }) => {
  const rows = helpRows('board');
  // On a low screen they are in two columns, with the texts that fit; on a narrow one with names only.
  const isLow = rows.length + 2 > height;
  const column = Math.max(34, Math.floor(width / 2) - 1);
  const half = Math.ceil(rows.length / 2);
  const row = ({ keys, label, help }: (typeof rows)[number]) => {
    const full = `  ${keys.padEnd(9)} ${help}`;
    return !isLow || (column >= 48 && full.length < column) ? full : `  ${keys.padEnd(9)} ${label}`;
  };
  const pair = (left: string, right = '') => `${left.padEnd(column)}${right}`;
  const texts = rows.map(row);
  const lines = isLow ? texts.slice(0, half).map((text, n) => pair(text, texts[half + n])) : texts;
  return (
    <Box flexDirection="column" height={height}>
      {lines.map(text => (
        <Text key={text} wrap="truncate">
          {text}
        </Text>
      ))}
      <Text> </Text>
      <Text>{'  Press any key to close this page'}</Text>
    </Box>
  );
};
