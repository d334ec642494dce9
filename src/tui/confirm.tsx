/** The confirmation of an answer: the complete request over the whole body, scrolled to its end before it can be allowed. */
import { Box, Text } from 'ink';
import { type AnswerEntry, type Board, confirmTitle } from '../client/board.ts';
import type { Layout } from './layout.ts';
import { Rule } from './rule.tsx';
import { tint } from './theme.ts';

export const Confirm = (props: { board: Board; entry: AnswerEntry; layout: Layout; colours: boolean }) => {
  const { board, entry, layout, colours } = props;
  const { width, height, text } = layout;
  const last = text.first + text.lines.length;
  const where = text.count > text.lines.length ? ` lines ${text.first + 1}-${last} of ${text.count}` : '';
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Rule
        title={`${confirmTitle(board, entry)}${where}`}
        width={width}
        style={{ bold: true, ...tint(entry.kind === 'allow' ? 'yellow' : 'red', colours) }}
      />
      {text.lines.map((given, n) => (
        <Text key={n} wrap="truncate">
          {given || ' '}
        </Text>
      ))}
    </Box>
  );
};
