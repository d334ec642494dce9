/** The rows of the board. */
import { Box, Text } from 'ink';
import type { Row } from '../client/board.ts';
import { firstShown } from '../client/board.ts';
import { summaryLine } from '../client/request-text.ts';
import { ago, clean, cut, fit, line, pad } from '../client/text.ts';
import { whereOf } from '../contract/origin.ts';
import { lookOf } from './theme.ts';

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
            {...lookOf(row, colours)}
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

const textOf = ({ session, position, deferred, until }: Row, width: number, now: number): string => {
  const { id, state, reason, stalled, hooks, project } = session;
  const where = whereOf(session);
  const label = deferred ?? (stalled ? 'stalled' : (reason ?? state));
  const age = deferred && until !== null ? `for ${ago(now, until)}` : ago(session.since, now);
  const asks = `${hooks === 'silent' ? '(hooks silent) ' : ''}${where ? `(on ${where}) ` : ''}${summaryLine(session)}`;
  return [
    position === null ? '  ' : String(position).padStart(2),
    icons[state],
    clean(id.replace(/^startup-/, '')).slice(0, 8),
    pad(label, 11),
    age.padStart(9),
    pad(line(project ?? '-', width >= 90 ? 18 : 12), width >= 90 ? 18 : 12),
    line(asks, width),
  ].join(' ');
};
