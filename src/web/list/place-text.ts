/** Where a session works, in a few words. */
import { clean } from '../../client/text.ts';
import type { Session } from '../../contract/session.ts';

/** `shop, main`; without the project where the title already says it. A worktree is marked. */
export const placeText = ({
  title,
  project,
  branch,
  worktree,
}: Pick<Session, 'title' | 'project' | 'branch' | 'worktree'>): string =>
  [
    title === project ? null : project && clean(project),
    branch && `${clean(branch)}${worktree ? ' (worktree)' : ''}`,
  ]
    .filter(Boolean)
    .join(', ');
