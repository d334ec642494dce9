/** The form for a new session, as the board and the page fill it in: known projects, modes, and the body for the daemon. */
import type { Project } from '../contract/api.ts';

/** The permission modes that the form offers. The empty one leaves the mode to the settings. */
export const modes = [
  { mode: '', label: 'Default mode' },
  { mode: 'default', label: 'Ask for permission' },
  { mode: 'acceptEdits', label: 'Accept edits' },
  { mode: 'plan', label: 'Plan first' },
] as const;

export interface NewSession {
  /** An absolute path. */
  dir: string;
  prompt: string;
  /** One of `modes`. */
  mode: string;
  /** Start it in its own git worktree. */
  worktree: boolean;
}

/** The body of `POST /sessions`. `id` is the id of the new session. */
export const createBody = ({ dir, prompt, mode, worktree }: NewSession, id: string) => ({
  session_id: id,
  cwd: dir,
  ...(prompt.trim() !== '' && { prompt: prompt.trim() }),
  ...(mode !== '' && { permission_mode: mode }),
  ...(worktree && { args: ['--worktree'] }),
});

/** Returns the projects that match a text, the best first: by name, by path, then by letters in this order. */
export const matchProjects = (projects: Project[], text: string): Project[] => {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return projects;
  return projects
    .map((project, place) => ({ project, place, rank: rankOf(project, wanted) }))
    .filter(({ rank }) => rank < noMatch)
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .map(({ project }) => project);
};

const noMatch = 5;

const rankOf = ({ project, dir }: Project, wanted: string): number => {
  const [name, path] = [project.toLowerCase(), dir.toLowerCase()];
  if (name === wanted || path === wanted) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  if (path.includes(wanted)) return 3;
  return hasInOrder(path, wanted) ? 4 : noMatch;
};

const hasInOrder = (text: string, letters: string): boolean => {
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
};
