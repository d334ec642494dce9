/** Files that sessions changed: their table, the counts and collisions of the rows, and worktrees. */
import { Backfill } from '../../changes/backfill.ts';
import { ChangeProjection } from '../../changes/change-projection.ts';
import { ChangeWatch, mayInfer } from '../../changes/change-watch.ts';
import { changesOf } from '../../changes/changes-of.ts';
import { collisionNotice } from '../../changes/collision-notice.ts';
import { readWorkingTree } from '../../changes/git/working-tree.ts';
import { listWorktrees } from '../../changes/worktrees/list-worktrees.ts';
import { removeWorktree } from '../../changes/worktrees/remove-worktree.ts';
import { withoutPasteMarks } from '../../claude/paste-marks.ts';
import type { Changes, GitChanges } from '../../contract/changes.ts';
import { DroverError } from '../../contract/error.ts';
import { shortId } from '../../contract/short-id.ts';
import { limits } from '../../limits.ts';
import type { Commit } from '../../live/loop.ts';
import type { Streams } from '../../live/streams.ts';
import { changesHandlers } from '../../server/handlers/changes.ts';
import type { Folded } from '../../session/memory.ts';
import type { Core } from '../core.ts';
import type { openNotices } from './notices.ts';

export interface ChangesDeps {
  streams: Pick<Streams, 'publishMeasured'>;
  notices: Pick<ReturnType<typeof openNotices>, 'announce'>;
}

export const openChanges = (core: Core, { streams, notices }: ChangesDeps) => {
  const { loop, store, clock, record, log } = core;
  const { sessionIndex } = loop;
  const projection = new ChangeProjection(store);
  const watch = new ChangeWatch({
    store,
    sessionIndex,
    projection,
    clock,
    record,
    publish: sessions => streams.publishMeasured(sessions),
    payloadAt: seq => loop.payloadAt(seq),
    onCollision: (session, collision) => {
      log.info('two sessions change one file', { ...collision, one: session.id });
      void notices.announce(collisionNotice(collision, session, sessionIndex.get(collision.sessionId)));
    },
    onError: log.error,
  });
  const backfill = new Backfill(store, projection, ids => watch.refresh(ids), log.error);
  const promptAt = (seq: number): string | null => {
    const prompt = loop.payloadAt(seq)?.prompt;
    return typeof prompt === 'string' ? withoutPasteMarks(prompt) : null;
  };
  const read = async (session: Folded, wanted: { diff: boolean; git: boolean }): Promise<Changes> => {
    const rows = store.changes.read(session.id, limits.changes.listed, wanted.diff);
    const git = wanted.git ? await workingTree(session, wanted.diff) : null;
    return { ...changesOf(session, rows, promptAt), git };
  };
  return {
    name: 'changes',
    projection,
    handlers: changesHandlers({
      sessionIndex,
      read,
      listWorktrees: async () => ({ worktrees: await listWorktrees(sessionIndex.all()) }),
      removeWorktree: path => removeWorktree(path, () => sessionIndex.all()),
    }),
    onCommit: (commit: Commit) => watch.onCommit(commit),
    start: () => {
      watch.start();
      backfill.start();
    },
    close: () => {
      backfill.close();
      watch.close();
    },
  };
};

/** Git runs only for a session of this machine that has fired a hook itself. */
const workingTree = async (session: Folded, withDiff: boolean): Promise<GitChanges> => {
  if (!mayInfer(session))
    throw new DroverError(
      'refused',
      `${shortId(session.id)} has fired no hook on this machine, so git is not run in its folder.`,
    );
  const folder = session.cwd ?? session.dir;
  const found = folder === null ? null : await readWorkingTree(folder, withDiff).catch(gitFailed);
  if (!found)
    throw new DroverError('refused', `${folder ?? shortId(session.id)} is not in a git repository.`);
  return found;
};

const gitFailed = (error: unknown): never => {
  throw new DroverError(
    'failed',
    `git could not read the working tree: ${String((error as Error).message).split('\n')[0]}`,
  );
};
