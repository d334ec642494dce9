/** The form for a new session: a project by fuzzy search, a prompt, a permission mode, a worktree. */
import { boardLimits } from '../../board-limits.ts';
import type { Project } from '../../contract/api.ts';
import { matchProjects, modes } from '../new-session.ts';
import type { Board, NewEntry, NewField, Pressed } from './state.ts';

export const openNew = (board: Board): Board => ({
  ...board,
  entry: { kind: 'new', text: '', field: 'project', cursor: 0, prompt: '', mode: 0, worktree: false },
});

/** Whether the form is open and the known projects are not loaded yet. */
export const needsProjects = ({ entry, projects }: Board): boolean =>
  entry?.kind === 'new' && projects === null;

/** The projects that match what is typed; an absolute path is a separate project. */
export const projectsIn = ({ projects }: Board, { text }: NewEntry): Project[] => {
  const found = matchProjects(projects ?? [], text);
  const dir = text.trim().replace(/(?<=.)\/+$/, '');
  const isNew = dir.startsWith('/') && !found.some(project => project.dir === dir);
  return isNew ? [{ dir, project: dir.split('/').at(-1) ?? dir, at: 0 }, ...found] : found;
};

const fields: NewField[] = ['project', 'prompt', 'mode', 'worktree'];

/** Applies a key to the form. Enter goes from the project to the prompt, and then starts the session. */
export const pressNew = (board: Board, entry: NewEntry, key: string): Pressed => {
  const none = (next: Board): Pressed => ({ board: next, command: null });
  const change = (more: Partial<NewEntry>): Pressed => none({ ...board, entry: { ...entry, ...more } });
  const { field } = entry;
  const at = fields.indexOf(field);
  if (key === 'escape') return none({ ...board, entry: null });
  if (key === 'tab') return change({ field: fields[(at + 1) % fields.length] as NewField });
  if (key === 'backtab') return change({ field: fields[(at + 3) % fields.length] as NewField });
  if (key === 'enter') return field === 'project' ? toPrompt(board, entry) : start(board, entry);
  if (field === 'project' || field === 'prompt') {
    const moves: Record<string, number> = { down: 1, up: -1 };
    const by = field === 'project' ? moves[key] : undefined;
    if (by === undefined) return none(typeInto(board, entry, key));
    const last = projectsIn(board, entry).length - 1;
    return change({ cursor: Math.max(0, Math.min(entry.cursor + by, last)) });
  }
  if (field === 'mode') {
    const by = { down: 1, up: -1, ' ': 1 }[key] ?? 0;
    const mode = /^[1-9]$/.test(key) ? Number(key) - 1 : (entry.mode + by + modes.length) % modes.length;
    return change({ mode: Math.min(mode, modes.length - 1) });
  }
  return key === ' ' ? change({ worktree: !entry.worktree }) : none(board);
};

/** The text of the field that is open. */
export const newText = ({ field, text, prompt }: NewEntry): string => (field === 'prompt' ? prompt : text);

export const withNewText = (board: Board, entry: NewEntry, text: string): Board => {
  if (text.length > boardLimits.fieldText)
    return { ...board, notice: `No more than ${boardLimits.fieldText} characters fit here.` };
  const more = entry.field === 'prompt' ? { prompt: text } : { text, cursor: 0 };
  return { ...board, entry: { ...entry, ...more } };
};

const typeInto = (board: Board, entry: NewEntry, key: string): Board => {
  const text = newText(entry);
  if (key === 'backspace') return withNewText(board, entry, Array.from(text).slice(0, -1).join(''));
  if (key === 'ctrl-u') return withNewText(board, entry, '');
  return Array.from(key).length === 1 ? withNewText(board, entry, `${text}${key}`) : board;
};

const noProject = 'No known project matches. Type the absolute path of a directory.';

const toPrompt = (board: Board, entry: NewEntry): Pressed => ({
  board: projectsIn(board, entry)[entry.cursor]
    ? { ...board, entry: { ...entry, field: 'prompt' } }
    : { ...board, notice: noProject },
  command: null,
});

const start = (board: Board, entry: NewEntry): Pressed => {
  const { prompt, worktree, cursor } = entry;
  const project = projectsIn(board, entry)[cursor];
  if (!project) return { board: { ...board, notice: noProject }, command: null };
  const mode = modes[entry.mode]?.mode ?? '';
  return {
    board: { ...board, entry: null, notice: `Starting a session in ${project.project} …` },
    command: { kind: 'create', form: { dir: project.dir, prompt, mode, worktree } },
  };
};
