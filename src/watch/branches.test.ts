import { expect, test, vi } from 'vitest';
import { systemClock } from '../clock.ts';
import type { Draft, Event } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { emptyMemory, type Folded, noNames } from '../session/memory.ts';
import { aSession } from '../testing/session.ts';
import { Branches } from './branches.ts';
import type { GitBranch } from './git-branch.ts';

const stop = { source: 'hook', name: 'Stop' } as Event;

const setUp = (branches: Record<string, GitBranch>) => {
  vi.useFakeTimers();
  let session: Folded = {
    ...aSession({ cwd: '/shop/sub', dir: '/shop' }),
    names: noNames,
    memory: emptyMemory(0),
  };
  const drafts: Draft[] = [];
  const read = vi.fn(async (folder: string) => branches[folder] ?? null);
  const watcher = new Branches(
    () => session,
    taken => {
      drafts.push(...taken);
      const { branch, worktree } = JSON.parse(Buffer.from(taken[0]?.raw ?? '').toString()) as GitBranch;
      session = { ...session, branch, worktree };
    },
    systemClock,
    read,
  );
  return { watcher, drafts, read, session: () => session, branches };
};

test('a changed branch is recorded once, and read at most every two seconds', async () => {
  const { watcher, drafts, read, session, branches } = setUp({
    '/shop': { branch: 'main', worktree: false },
  });
  watcher.onEvent(stop, session());
  watcher.onEvent(stop, session());
  await vi.advanceTimersByTimeAsync(1);
  expect(drafts).toHaveLength(1);
  expect(session().branch).toBe('main');
  const reads = read.mock.calls.length;
  branches['/shop/sub'] = { branch: 'feat', worktree: true };
  watcher.onEvent(stop, session());
  await vi.advanceTimersByTimeAsync(limits.watch.branch / 2);
  expect(read.mock.calls.length).toBe(reads);
  await vi.advanceTimersByTimeAsync(limits.watch.branch);
  expect(session()).toMatchObject({ branch: 'feat', worktree: true });
  await vi.advanceTimersByTimeAsync(10 * limits.watch.branch);
  expect(drafts).toHaveLength(2);
});

test('sessions elsewhere, ended sessions and other events are not read', () => {
  const { watcher, read, session } = setUp({});
  watcher.onEvent(stop, { ...session(), origin: 'far' });
  watcher.onEvent(stop, { ...session(), state: 'ended' });
  watcher.onEvent({ source: 'hook', name: 'PreToolUse' } as Event, session());
  watcher.onEvent({ source: 'drover', name: 'Branch' } as Event, session());
  expect(read).not.toHaveBeenCalled();
});
