/** The answer panel over the whole body: the complete request, scrolled, and the choices below it. */
import { Box, Text } from 'ink';
import { type AnswerEntry, type Board, panelTitle } from '../client/board.ts';
import type { Layout } from './layout.ts';
import { Rule } from './rule.tsx';
import { tint } from './theme.ts';

export const Panel = (props: { board: Board; entry: AnswerEntry; layout: Layout; colours: boolean }) => {
  const { board, entry, layout, colours } = props;
  const { width, height, text, choices } = layout;
  const last = text.first + text.lines.length;
  const where = text.count > text.lines.length ? ` lines ${text.first + 1}-${last} of ${text.count}` : '';
  const isChosen = (given: string) => /^(?:\(•\)|\[x\])/.test(given);
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Rule
        title={`${panelTitle(board, entry)}${where}`}
        width={width}
        style={{ bold: true, ...tint(entry.over === null ? 'yellow' : 'red', colours) }}
      />
      {text.lines.map((given, n) => (
        <Text key={n} wrap="truncate">
          {given || ' '}
        </Text>
      ))}
      <Box flexGrow={1} />
      {choices.map((given, n) => (
        <Text key={n} wrap="truncate" bold={isChosen(given)}>
          {given || ' '}
        </Text>
      ))}
    </Box>
  );
};
