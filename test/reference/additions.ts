/** What did not exist when the corpus was recorded. A replay leaves it out, so that it shows every other difference. */

interface Addition {
  /** `field`: a key of a session, its deferral, or the payload of an event of Drover's sources; `event`: an event of Drover's own; `option`: a tmux option of Drover's own. */
  kind: 'field' | 'event' | 'option';
  names: readonly string[];
  reason: string;
}

const additions: Addition[] = [
  {
    kind: 'field',
    names: ['title', 'titleFrom', 'branch', 'worktree', 'tags', 'memoryBytes', 'parked'],
    reason: 'Names, memory and parking of sessions (40d0b16).',
  },
  { kind: 'field', names: ['nameSource'], reason: 'Who gave the name in a session file (40d0b16).' },
  { kind: 'event', names: ['Titles', 'Branch'], reason: 'Where names come from (40d0b16).' },
  {
    kind: 'field',
    names: ['effort', 'tasks', 'crons'],
    reason: 'Tasks, effort and scheduled prompts (92b45d4).',
  },
  { kind: 'field', names: ['seen'], reason: 'Whether somebody looked at a session (215b3c6).' },
  {
    kind: 'field',
    names: ['changes', 'collisions'],
    reason: 'Files that sessions changed.',
  },
  { kind: 'event', names: ['FilesChanged'], reason: 'Files that shell commands changed.' },
  {
    kind: 'field',
    names: ['limit', 'failure', 'continuation', 'quota', 'error'],
    reason: 'Usage limits, and why a turn failed.',
  },
  { kind: 'field', names: ['outcome'], reason: 'Whether a turn asks, is done or stopped early.' },
  { kind: 'option', names: ['@drover_state'], reason: 'States in words (215b3c6).' },
];

const namesOf = (kind: Addition['kind']): Set<string> =>
  new Set(additions.filter(addition => addition.kind === kind).flatMap(({ names }) => names));

const fields = namesOf('field');
const events = namesOf('event');
const options = namesOf('option');

/** A session without the fields that were added. */
export const withoutAddedFields = <T extends object>(session: T): T =>
  Object.fromEntries(
    Object.entries(session)
      .filter(([name]) => !fields.has(name))
      .map(([name, value]) => [
        name,
        name === 'deferral' && value !== null ? withoutAddedFields(value as object) : (value as unknown),
      ]),
  ) as T;

export const isAddedEvent = (name: string): boolean => events.has(name);

export const isAddedOption = (name: string): boolean => options.has(name);
