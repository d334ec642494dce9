/** The selected session: who it is, what it asks in full, and what its pane shows. */
import { Box, Text } from 'ink';
import type { Row } from '../client/board.ts';
import { askLines } from '../client/request-text.ts';
import { ago, cut, line, wide, wrap } from '../client/text.ts';
import type { Screen } from '../contract/api.ts';
import type { Session } from '../contract/session.ts';
import { isElsewhere, whereOf } from '../contract/origin.ts';
import { lookOf } from './theme.ts';

export const Detail = (props: {
  row: Row;
  preview: Screen | null;
  width: number;
  height: number;
  scroll: number;
  now: number;
  colours: boolean;
}) => {
  const { row, preview, width, height, scroll, now, colours } = props;
  const { session } = row;
  const text = askLines(session).flatMap(given => wrap(given, width - 1));
  // What it asks comes first; the picture gets what is left, and at least half of the room.
  const room = Math.max(2, Math.min(text.length + 1, Math.floor(height / 2)));
  const first = Math.max(0, Math.min(scroll, text.length - room + 1));
  const more = text.length - first - (room - 1);
  const pictureHeight = height - room - 1;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Rule title={titleOf(session, now)} width={width} look={lookOf(row, colours)} />
      <Box flexDirection="column" height={room - 1}>
        {text.slice(first, first + room - 1).map((given, n) => (
          <Text key={n} wrap="truncate">
            {n === room - 2 && more > 0 ? `${cut(given, width - 14)} … J: ${more} more` : given || ' '}
          </Text>
        ))}
      </Box>
      <Rule title={paneTitle(session)} width={width} look={colours ? { dimColor: true } : {}} />
      <Picture preview={preview} height={pictureHeight} colours={colours} />
    </Box>
  );
};

const Rule = (props: { title: string; width: number; look: object }) => {
  const title = line(props.title, props.width - 6);
  const rest = Math.max(0, props.width - wide(title) - 5);
  return (
    <Text wrap="truncate" {...props.look}>
      {`── ${title} ${'─'.repeat(rest)}`}
    </Text>
  );
};

/** The last lines of the screen: there is what the session asks. */
const Picture = (props: { preview: Screen | null; height: number; colours: boolean }) => {
  const { preview, height, colours } = props;
  const lines = (preview?.text ?? '').trimEnd().split('\n').slice(-height);
  return (
    <Box flexDirection="column" height={Math.max(0, height)}>
      {lines.map((given, n) => (
        <Text key={n} wrap="truncate">
          {(colours ? given : given.replace(/\x1b\[[\d;:]*m/g, '')) || ' '}
        </Text>
      ))}
    </Box>
  );
};

const titleOf = (session: Session, now: number): string => {
  const { id, project, state, reason, since, stalled, hooks, context, version } = session;
  return [
    id.slice(0, 8),
    project ?? '',
    `${state}${reason ? `/${reason}` : ''} for ${ago(since, now)}`,
    stalled ? `no progress for ${ago(stalled.since, now)}` : '',
    hooks === 'silent' ? 'hooks SILENT' : '',
    context?.percent ? `context ${context.percent} %` : '',
    version ? `claude ${version}` : '',
  ]
    .filter(Boolean)
    .join(' · ');
};

const paneTitle = (session: Session): string => {
  const { pane, state } = session;
  if (isElsewhere(session)) return `on ${whereOf(session)}: no picture from there`;
  if (!pane) return 'no pane';
  if (state === 'ended') return 'its pane is not shown any more';
  return `pane ${pane.id}${pane.session ? ` in ${pane.session}:${pane.window ?? ''}` : ''}`;
};
