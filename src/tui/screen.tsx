/** The whole board as it fits the terminal. */
import { Box, Text } from 'ink';
import { type Board, type Entry, keys, type Row, rowsOf, selectedIn } from '../client/board.ts';
import { clean, line, wide } from '../client/text.ts';
import type { Screen as Picture } from '../contract/api.ts';
import { Detail } from './detail.tsx';
import { List } from './list.tsx';
import { tint } from './theme.ts';

export interface Size {
  columns: number;
  rows: number;
}

/** From this width on the list and the selected session stand side by side. */
const besides = 110;

export const Screen = (props: {
  board: Board;
  preview: Picture | null;
  size: Size;
  now: number;
  colours: boolean;
}) => {
  const { board, preview, size, now, colours } = props;
  const rows = rowsOf(board, now);
  const selected = selectedIn(board, rows);
  const row = rows[selected];
  const width = size.columns;
  const height = Math.max(1, size.rows - 3);
  const isWide = width >= besides;
  const listWidth = isWide ? Math.floor(width * 0.48) : width;
  const listHeight = isWide ? height : listRoom(size, rows.length);
  const body = board.help ? (
    <Help height={height} />
  ) : row ? (
    <Box flexDirection={isWide ? 'row' : 'column'} height={height}>
      <List {...{ rows, selected, now, colours }} width={listWidth} height={listHeight} />
      {isWide && <Box width={1} />}
      <Detail
        {...{ row, preview, now, colours }}
        scroll={board.scroll}
        width={isWide ? width - listWidth - 1 : width}
        height={isWide ? height : height - listHeight}
      />
    </Box>
  ) : (
    <Box height={height}>
      <Text>{emptyText(board)}</Text>
    </Box>
  );
  return (
    <Box flexDirection="column" width={width} height={height + 2}>
      <Head {...{ board, rows, width, colours }} />
      {body}
      <Foot {...{ board, width, colours }} />
    </Box>
  );
};

/** Rows of the list where it stands above the selected session; also how far a page goes. */
export const listRoom = ({ columns, rows }: Size, count: number): number => {
  const height = Math.max(1, rows - 3);
  return columns >= besides ? height : Math.max(1, Math.min(count, Math.floor(height * 0.45)));
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
    count('held') ? `${count('held')} passed over` : '',
    `${count('working')} working`,
    `${count('ready')} ready`,
    board.filter ? `filter: ${clean(board.filter)}` : '',
  ];
  // Nobody is known to wait, or not to, before the daemon has said so.
  const known = board.link === 'live' || board.sessions.size > 0;
  const first = !known ? '' : waiting ? `${waiting} waiting` : 'nobody waits';
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
  if (board.link === 'starting') return 'asking the daemon …';
  if (board.link === 'down') return 'The daemon is down, so nothing is known. `drover up` starts it.';
  if (board.filter) return 'No session fits the filter. Esc clears it.';
  return 'No sessions: start claude; `drover doctor` tells whether its hooks arrive.';
};

const Foot = ({ board, width, colours }: { board: Board; width: number; colours: boolean }) => {
  const { entry, notice } = board;
  if (entry)
    return (
      <Text wrap="truncate">
        {entryHead(entry)}
        {clean(entry.text)}
        <Text inverse> </Text>
      </Text>
    );
  if (notice)
    return (
      <Text wrap="truncate" bold {...tint('yellow', colours)}>
        {line(notice, width)}
      </Text>
    );
  const hints = 'Enter go  Tab next  s skip  z snooze  d dismiss  / filter  ? help  q quit';
  return (
    <Text wrap="truncate" dimColor={colours}>
      {hints}
    </Text>
  );
};

const entryHead = (entry: Entry): string => {
  switch (entry.kind) {
    case 'filter':
      return '/';
    case 'snooze':
      return 'snooze for: ';
    case 'allow':
      return `allow ${line(entry.asks, 60)}? Enter does, any other key does not`;
    default:
      return `deny ${line(entry.asks, 60)}, saying: `;
  }
};

const Help = ({ height }: { height: number }) => (
  <Box flexDirection="column" height={height}>
    <Text> </Text>
    {keys.map(([key, what]) => (
      <Text key={key} wrap="truncate">
        {'  '}
        <Text bold>{key.padEnd(9)}</Text> {what}
      </Text>
    ))}
    <Text> </Text>
    <Text>{'  any key leaves this page'}</Text>
  </Box>
);
