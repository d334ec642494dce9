/** The form for a new session over the whole body. */
import { Box, Text } from 'ink';
import { type Board, firstShown, type NewEntry, projectsIn } from '../client/board.ts';
import { modes } from '../client/new-session.ts';
import { ago, fit, line, pad } from '../client/text.ts';
import { endOf } from './foot.ts';
import { Rule } from './rule.tsx';
import { tint } from './theme.ts';

/** Rows of the form beside the list of projects: the rule, four fields and an empty line. */
const otherRows = 6;

export const NewForm = (props: {
  board: Board;
  entry: NewEntry;
  width: number;
  height: number;
  now: number;
  colours: boolean;
}) => {
  const { board, entry, width, height, now, colours } = props;
  const { field, cursor } = entry;
  const projects = projectsIn(board, entry);
  const room = Math.max(1, height - otherRows);
  const first = firstShown(cursor, projects.length, room);
  const chosen = projects[cursor];
  const isSearching = field === 'project';
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Rule title="New session" width={width} style={{ bold: true, ...tint('green', colours) }} />
      <Field
        name="Project"
        isOpen={isSearching}
        text={isSearching ? endOf(entry.text, width - 12) : (chosen?.dir ?? '-')}
      />
      {isSearching &&
        projects.slice(first, first + room).map(({ dir, project, at }, n) => (
          <Text key={dir} wrap="truncate" inverse={colours && first + n === cursor}>
            {fit(
              `${first + n === cursor ? '>' : ' '} ${pad(line(project, 20), 20)} ${at > 0 ? `${ago(at, now)} ago`.padStart(14) : ''.padStart(14)}  ${line(dir, width)}`,
              width,
            )}
          </Text>
        ))}
      {isSearching && projects.length === 0 && (
        <Text>
          {board.projects === null
            ? '  Loading …'
            : '  No known project matches. Type the absolute path of a directory.'}
        </Text>
      )}
      <Field name="Prompt" isOpen={field === 'prompt'} text={endOf(entry.prompt, width - 12)} />
      <Field name="Mode" isOpen={field === 'mode'} text={modes[entry.mode]?.label ?? ''} />
      {field === 'mode' &&
        modes.map(({ label }, n) => (
          <Text key={label} wrap="truncate">
            {`    ${n === entry.mode ? '(•)' : '( )'} ${n + 1}. ${label}`}
          </Text>
        ))}
      <Field
        name="Worktree"
        isOpen={field === 'worktree'}
        text={entry.worktree ? '[x] its own git worktree' : '[ ] its own git worktree'}
      />
    </Box>
  );
};

const Field = ({ name, text, isOpen }: { name: string; text: string; isOpen: boolean }) => (
  <Text wrap="truncate">
    <Text bold={isOpen}>{`${isOpen ? '>' : ' '} ${name.padEnd(9)}`}</Text>
    {text}
    {isOpen && (name === 'Project' || name === 'Prompt') && <Text inverse> </Text>}
  </Text>
);
