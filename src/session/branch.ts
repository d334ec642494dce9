/** The git branch in the folder of a session, which Drover reads itself. */
import type { Hook } from '../contract/hook.ts';
import type { Session } from '../contract/session.ts';

export const branchName = 'Branch';

/** Changes `session`, which is the fold's own copy. */
export const reduceBranch = (session: Session, { branch, worktree }: Hook): void => {
  session.branch = typeof branch === 'string' && branch !== '' ? branch.slice(0, 250) : null;
  session.worktree = worktree === true;
};
