/**
 * The filter of lists: words that occur in a session, and `tag:`, `branch:`, `state:`, `project:` and `host:` with a value
 * each; `host:local` is this machine. Everything must match; of several values with commas between them, one is enough.
 */
import { whereOf } from '../../contract/origin.ts';
import type { Session } from '../../contract/session.ts';
import { lastingText } from '../state-text.ts';

/** Whether a session passes the filter. An empty filter passes all. */
export const passesFilter = (session: Session, filter: string): boolean =>
  filter
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .every(word => passesWord(session, word));

const passesWord = (session: Session, word: string): boolean => {
  const [, field = '', values = ''] = /^(tag|branch|state|project|host):(.*)$/.exec(word) ?? [];
  if (field === '') return textOf(session).includes(word);
  const wanted = values.split(',').filter(Boolean);
  // While the value is still being typed, nothing is hidden.
  return wanted.length === 0 || wanted.some(value => fields[field as Field](session, value));
};

type Field = 'tag' | 'branch' | 'state' | 'project' | 'host';

const fields: Record<Field, (session: Session, value: string) => boolean> = {
  tag: ({ tags }, value) => tags.some(tag => tag.toLowerCase().startsWith(value)),
  branch: ({ branch }, value) => (branch ?? '').toLowerCase().includes(value),
  state: (session, value) => stateWords(session).some(word => word.startsWith(value)),
  project: ({ project }, value) => (project ?? '').toLowerCase().includes(value),
  host: (session, value) => isHost((whereOf(session) ?? localHost).toLowerCase(), value),
};

/** The word for this machine in `host:`. */
const localHost = 'local';

/** The beginning of a name is enough, but `box1` is not `box12`. */
const isHost = (name: string, value: string): boolean =>
  name.startsWith(value) && !(/\d$/.test(value) && /^\d/.test(name.slice(value.length)));

/** The words for what a session does: as people read it, as programs do, and their marks. */
const stateWords = (session: Session): string[] => {
  const { state, reason, outcome, parked, stalled, hooks, fleet } = session;
  return [
    lastingText(session),
    ...lastingText(session).split(' '),
    ...(parked ? [] : [state, ...(reason ? [reason] : []), ...(outcome ? [outcome.kind] : [])]),
    ...(stalled ? ['stalled'] : []),
    ...(hooks === 'silent' ? ['silent'] : []),
    ...(fleet?.isAway ? ['away'] : []),
  ];
};

const textOf = (session: Session): string => {
  const { id, title, project, dir, branch, tags, pane, detail, outcome } = session;
  const words = [id, title, project, dir, branch, ...tags, ...stateWords(session)];
  return [...words, whereOf(session), pane?.session, pane?.window, detail?.line, outcome?.sentence]
    .join(' ')
    .toLowerCase();
};
