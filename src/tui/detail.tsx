/** The selected session: its title, its request or last message, and the screen of its pane. */
import { Box, Text } from 'ink';
import {
  changesLabel,
  collisionLabel,
  type Row,
  stateText,
  titleOf as sessionTitle,
} from '../client/board.ts';
import { modeText } from '../client/mode-text.ts';
import { awayText, hostLabel, isStale } from '../client/fleet-text.ts';
import { ago, cut } from '../client/text.ts';
import type { Screen } from '../contract/api.ts';
import { isRemote, whereOf } from '../contract/origin.ts';
import type { Session } from '../contract/session.ts';
import type { Layout } from './layout.ts';
import { Rule } from './rule.tsx';
import { styleOf } from './theme.ts';
import { shortId } from '../contract/short-id.ts';

export const Detail = (props: {
  row: Row;
  preview: Screen | null;
  layout: Layout;
  now: number;
  colours: boolean;
}) => {
  const { row, preview, now, colours } = props;
  const { text, detail } = props.layout;
  const { width, height } = detail;
  const { session } = row;
  const more = text.count - text.first - text.lines.length;
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Rule title={titleOf(session, now)} width={width} style={styleOf(row, colours)} />
      {text.lines.map((given, n) => (
        <Text key={n} wrap="truncate">
          {n === text.lines.length - 1 && more > 0
            ? `${cut(given, width - 14)} … J: ${more} more`
            : given || ' '}
        </Text>
      ))}
      <Rule
        title={paneTitle(session, preview, now)}
        width={width}
        style={colours ? { dimColor: true } : {}}
      />
      <Picture preview={preview} height={height - text.lines.length - 2} colours={colours} />
    </Box>
  );
};

/** The last lines of the pane, because dialogs are at its end. */
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
  const { id, project, since, hooks, context, version, branch, worktree, tags } = session;
  const { permissionMode, effort, crons } = session;
  return [
    shortId(id),
    session.fleet?.name ?? '',
    session.titleFrom === 'project' ? '' : sessionTitle(session),
    project ?? '',
    branch === null ? '' : `${branch}${worktree ? ' (worktree)' : ''}`,
    tags.map(tag => `#${tag}`).join(' '),
    session.stalled ? stateText(session, now) : `${stateText(session, now)} for ${ago(since, now)}`,
    hooks === 'silent' ? 'hooks SILENT' : '',
    permissionMode ? `mode ${modeText(permissionMode)}` : '',
    effort ? `effort ${effort}` : '',
    changesLabel(session),
    collisionLabel(session),
    crons.length ? `${crons.length} scheduled` : '',
    context?.percent ? `context ${context.percent} %` : '',
    version ? `claude ${version}` : '',
  ]
    .filter(Boolean)
    .join(' · ');
};

const paneTitle = (session: Session, preview: Screen | null, now: number): string => {
  const { pane, state, fleet } = session;
  if (isStale(session)) return `${hostLabel(session)} is ${awayText(session, now)}: shown as last known`;
  if (fleet && preview) return `on ${hostLabel(session)}`;
  if (isRemote(session)) return `on ${whereOf(session)}: its screen cannot be shown`;
  if (!pane) return 'no pane';
  if (state === 'ended') return 'ended: its pane is no longer shown';
  return `pane ${pane.id}${pane.session ? ` in ${pane.session}:${pane.window ?? ''}` : ''}`;
};
