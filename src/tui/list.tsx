/** The rows of the board. */
import { Box, Text } from 'ink';
import { firstShown, type Row, rowLabel } from '../client/board.ts';
import { summaryLine } from '../client/request-text.ts';
import { ago, clean, cut, fit, line, pad } from '../client/text.ts';
import { whereOf } from '../contract/origin.ts';
import { styleOf } from './theme.ts';
import { shortId } from '../contract/short-id.ts';

const icons = { ready: '[⏸]', working: '[▶]', waiting: '[⏸]', background: '[▶]', ended: '[■]' } as const;

export const List = (props: {
  rows: Row[];
  selected: number;
  width: number;
  height: number;
  now: number;
  colours: boolean;
}) => {
  const { rows, selected, width, height, now, colours } = props;
  const first = firstShown(selected, rows.length, height);
  return (
    <Box flexDirection="column" width={width} height={height}>
      {rows.slice(first, first + height).map((row, n) => {
        const isSelected = first + n === selected;
        return (
          <Text
            key={row.session.id}
            wrap="truncate"
            {...styleOf(row, colours)}
            {...(isSelected && { bold: true, inverse: colours })}
          >
            {isSelected
              ? fit(`>${textOf(row, width, now)}`, width)
              : cut(` ${textOf(row, width, now)}`, width)}
          </Text>
        );
      })}
    </Box>
  );
};

const textOf = (row: Row, width: number, now: number): string => {
  const { session, position, deferred, until } = row;
  const { id, state, hooks, project } = session;
  const where = whereOf(session);
  const age = deferred && until !== null ? `for ${ago(now, until)}` : ago(session.since, now);
  const summary = `${hooks === 'silent' ? '(hooks silent) ' : ''}${where ? `(on ${where}) ` : ''}${summaryLine(session)}`;
  return [
    position === null ? '  ' : String(position).padStart(2),
    icons[state],
    shortId(clean(id)),
    pad(rowLabel(row), 11),
    age.padStart(9),
    pad(line(project ?? '-', width >= 90 ? 18 : 12), width >= 90 ? 18 : 12),
    line(summary, width),
  ].join(' ');
};
