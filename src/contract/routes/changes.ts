/** Files that sessions changed, and the worktrees of sessions. */
import { Ack } from '../api.ts';
import { Changes, RemoveWorktree, WorktreeList } from '../changes.ts';
import { accessErrors, bodyErrors, type Route, sessionErrors } from './route.ts';

export const changesRoutes = [
  {
    id: 'readChanges',
    method: 'GET',
    path: '/sessions/:id/changes',
    level: 'read',
    remote: 'session',
    group: 'sessions',
    summary: 'List the files that a session changed, by file and by turn.',
    query: {
      diff: '1: with the diffs',
      git: '1: with the working tree against HEAD, whoever changed it',
    },
    answer: Changes,
    errors: [...accessErrors, ...sessionErrors, 'refused', 'failed'],
  },
  {
    id: 'listWorktrees',
    method: 'GET',
    path: '/worktrees',
    level: 'read',
    group: 'sessions',
    summary: 'List the linked git worktrees in which sessions run or ran.',
    answer: WorktreeList,
    errors: accessErrors,
  },
  {
    id: 'removeWorktree',
    method: 'POST',
    path: '/worktrees/remove',
    level: 'person',
    audit: 'remove-worktree',
    inside: 'never',
    group: 'sessions',
    summary: 'Remove a worktree that is merged, clean and without a live session. Its branch stays.',
    body: RemoveWorktree,
    answer: Ack,
    errors: [...accessErrors, ...bodyErrors, 'refused', 'failed', 'nested'],
  },
] as const satisfies Route[];
