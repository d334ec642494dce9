/** The whole board as it fits the terminal. */
import { Box, Text } from 'ink';
import { type Board, helpRows, isAnswerEntry, type Row, rowsOf, selectedIn } from '../client/board.ts';
import { clean, line, wide } from '../client/text.ts';
import type { Screen as Picture } from '../contract/api.ts';
import { Confirm } from './confirm.tsx';
import { Detail } from './detail.tsx';
import type { FootLine } from './foot.ts';
import { layoutOf, type Size } from './layout.ts';
import { List } from './list.tsx';
import { tint } from './theme.ts';

export const Screen = (props: {
  board: Board;
  preview: Picture | null;
  size: Size;
  now: number;
  colours: boolean;
}) => {
  const { board, preview, size, now, colours } = props;
  const { entry } = board;
  const rows = rowsOf(board, now);
  const selected = selectedIn(board, rows);
  const row = rows[selected];
  const layout = layoutOf(board, rows, selected, size);
  const { width, height, isWide, list } = layout;
  const body = isAnswerEntry(entry) ? (
    <Confirm {...{ board, entry, layout, colours }} />
  ) : board.help ? (
    <Help height={height} />
  ) : row ? (
    <Box flexDirection={isWide ? 'row' : 'column'} height={height}>
      <List {...{ rows, selected, now, colours }} width={list.width} height={list.height} />
      {isWide && <Box width={1} />}
      <Detail {...{ row, preview, layout, now, colours }} />
    </Box>
  ) : (
    <Box height={height}>
      <Text>{emptyText(board)}</Text>
    </Box>
  );
  return (
    <Box flexDirection="column" width={width} height={height + 1 + layout.foot.length}>
      <Head {...{ board, rows, width, colours }} />
      {body}
      {layout.foot.map((given, n) => (
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
}: {
  board: Board;
  rows: Row[];
  width: number;
  colours: boolean;
}) => {
  const count = (group: Row['group']) => rows.filter(row => row.group === group).length;
  const waiting = count('waiting');
  const counts = [
    count('deferred') ? `${count('deferred')} deferred` : '',
    `${count('working')} working`,
    `${count('ready')} ready`,
    board.filter ? `filter: ${clean(board.filter)}` : '',
  ];
  // Before the daemon has answered it is not known whether a session waits.
  const known = board.link === 'live' || board.sessions.size > 0;
  const first = !known ? '' : waiting ? `${waiting} waiting` : 'none waiting';
  const rest = known ? ` · ${counts.filter(Boolean).join(' · ')}` : '';
  const link = linkText(board);
  const room = Math.max(0, width - wide(`drover  ${first}${link}`) - 2);
  return (
    <Box width={width} justifyContent="space-between">
      <Text wrap="truncate">
        <Text bold>drover </Text>
        <Text bold {...tint(waiting ? 'yellow' : 'green', colours)}>
          {first}
        </Text>
        {` ${line(rest, room)}`}
      </Text>
      {link && (
        <Text bold {...tint('red', colours)}>
          {link}
        </Text>
      )}
    </Box>
  );
};

const linkText = ({ link }: Board): string =>
  link === 'down' ? 'DAEMON DOWN: `drover up`' : link === 'starting' ? 'connecting' : '';

const emptyText = (board: Board): string => {
  if (board.link === 'starting') return 'Connecting to the daemon …';
  if (board.link === 'down') return 'The daemon is down. Start it with `drover up`.';
  if (board.filter) return 'No matching sessions. Esc clears the filter.';
  return 'No sessions. Start `claude`; `drover doctor` checks whether its hooks arrive.';
};

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

const Help = ({ height }: { height: number }) => (
  <Box flexDirection="column" height={height}>
    <Text> </Text>
    {helpRows('board').map(({ keys, help }) => (
      <Text key={keys} wrap="truncate">
        {'  '}
        <Text bold>{keys.padEnd(9)}</Text> {help}
      </Text>
    ))}
    <Text> </Text>
    <Text>{'  Press any key to close this page'}</Text>
  </Box>
);
