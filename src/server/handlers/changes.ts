/** Files that sessions changed, and worktrees. */
import type { Changes, WorktreeList } from '../../contract/changes.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import type { Folded } from '../../session/memory.ts';
import type { Handlers } from '../call.ts';
import { findSession } from './sessions.ts';

export interface ChangesDeps {
  sessionIndex: SessionIndex;
  read: (session: Folded, wanted: { diff: boolean; git: boolean }) => Promise<Changes>;
  listWorktrees: () => Promise<WorktreeList>;
  removeWorktree: (path: string) => Promise<void>;
}

export const changesHandlers = ({
  sessionIndex,
  read,
  listWorktrees,
  removeWorktree,
}: ChangesDeps): Pick<Handlers, 'readChanges' | 'listWorktrees' | 'removeWorktree'> => ({
  readChanges: ({ params: { id }, query }) =>
    read(findSession(sessionIndex, id), { diff: query.get('diff') === '1', git: query.get('git') === '1' }),
  listWorktrees,
  removeWorktree: async ({ body: { path }, action }) => {
    action.text = path;
    await removeWorktree(path);
    return { ok: true as const };
  },
});
