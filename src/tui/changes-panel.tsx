/** The changes of a session over the whole body. */
import { Box, Text } from 'ink';
import { type DiffTone, diffTone } from '../client/changes-text.ts';
import type { ChangesEntry } from '../client/board.ts';
import type { Layout } from './layout.ts';
import { Rule } from './rule.tsx';
import { tint } from './theme.ts';

export const ChangesPanel = (props: { entry: ChangesEntry; layout: Layout; colours: boolean }) => {
  const { entry, layout, colours } = props;
  const { width, height, text } = layout;
  const last = text.first + text.lines.length;
  const where = text.count > text.lines.length ? ` lines ${text.first + 1}-${last} of ${text.count}` : '';
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Rule title={`Changes of ${entry.label}${where}`} width={width} style={{ bold: true }} />
      {text.lines.map((given, n) => (
        <Text key={n} wrap="truncate" {...styles(diffTone(given), colours)}>
          {given || ' '}
        </Text>
      ))}
    </Box>
  );
};

const styles = (tone: DiffTone, colours: boolean) => {
  switch (tone) {
    case 'head':
      return { bold: true };
    case 'place':
      return tint('cyan', colours);
    case 'added':
      return tint('green', colours);
    case 'removed':
      return tint('red', colours);
    default:
      return {};
  }
};
