import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Changes } from '../../contract/changes.ts';
import { Backfill } from '../../changes/backfill.ts';
import { ChangeProjection } from '../../changes/change-projection.ts';
import { forget } from '../../live/forget.ts';
import { Retention } from '../../live/retention.ts';
import { limits } from '../../limits.ts';
import type { Folded } from '../../session/memory.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { repository } from '../../testing/repository.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { openChanges } from './changes.ts';

const [a, b] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002'];

const edit = (session_id: string, file_path: string, lines: string[], at?: number) =>
  hookDraft(
    'PostToolUse',
    {
      session_id,
      tool_name: 'Edit',
      tool_input: { file_path },
      tool_response: { structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines }] },
    },
    {},
    at,
  );

const hook = (session_id: string, name: string, fields: object = {}) =>
  hookDraft(name, { session_id, ...fields });

const opened = async (pipeline?: Awaited<ReturnType<typeof openPipeline>>) => {
  const { core, loop, store, ...rest } = pipeline ?? (await openPipeline());
  const notices: string[] = [];
  const published: Folded[] = [];
  const changes = openChanges(core, {
    streams: { publishMeasured: sessions => void published.push(...sessions) },
    notices: { announce: async ({ title, text }) => void notices.push(`${title}: ${text}`) },
  });
  loop.addProjections([changes.projection]);
  loop.addViews([changes]);
  changes.start();
  onTestFinished(() => changes.close());
  const take = (...drafts: ReturnType<typeof hook>[]) => loop.append(drafts.map(draft => ({ draft })));
  const read = async (id: string, query = ''): Promise<Changes> =>
    (await changes.handlers.readChanges({
      params: { id },
      query: new URLSearchParams(query),
    } as never)) as Changes;
  return { ...rest, core, loop, store, changes, notices, published, take, read };
};

test('changes are listed by file and by turn, with the beginning of the prompt', async () => {
  const { take, read } = await opened();
  await take(
    hook(a, 'UserPromptSubmit', { prompt: 'Rename it\nand more', cwd: '/p' }),
    edit(a, '/p/src/a.ts', ['-x', '+y']),
    edit(a, '/p/src/a.ts', ['+z']),
    hook(a, 'UserPromptSubmit', { prompt: 'Again' }),
    edit(a, '/p/b.ts', ['-1', '-2', '+3']),
    edit(b, '/p/b.ts', ['+other']),
  );
  const found = await read(a);
  expect(found.total).toEqual({ files: 2, added: 3, removed: 3 });
  expect(found.turns.map(({ prompt, changes }) => [prompt, changes.length])).toEqual([
    ['Rename it', 2],
    ['Again', 1],
  ]);
  expect(found.turns[0]?.changes[0]?.patch).toBeNull();
  const withDiff = await read(a, 'diff=1');
  expect(withDiff.turns[1]?.changes[0]?.patch).toBe('@@ -1,1 +1,1 @@\n-1\n-2\n+3');
  expect(JSON.stringify(withDiff)).not.toContain('other');
});

test('rows get their counts, also after a restart', async () => {
  const first = await opened();
  await first.take(hook(a, 'SessionStart'), edit(a, '/p/a.ts', ['-x', '+y']), edit(a, '/p/b.ts', ['+y']));
  await waitFor(() =>
    expect(first.loop.sessionIndex.get(a)?.changes).toEqual({ files: 2, added: 2, removed: 1 }),
  );
  expect(first.published.at(-1)?.changes?.files).toBe(2);
  first.changes.close();
  await first.close();
  const again = await opened(await openPipeline(first.paths));
  expect(again.loop.sessionIndex.get(a)?.changes).toEqual({ files: 2, added: 2, removed: 1 });
});

test('two live sessions that change one file are marked on both rows and notified once', async () => {
  const { take, loop, notices } = await opened();
  const marks = (id: string) =>
    loop.sessionIndex.get(id)?.collisions.map(({ path, sessionId }) => [path, sessionId]);
  await take(edit(a, '/p/a.ts', ['+1']), edit(b, '/p/a.ts', ['+2']));
  await waitFor(() => expect(marks(a)).toEqual([['/p/a.ts', b]]));
  expect(marks(b)).toEqual([['/p/a.ts', a]]);
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain('Two sessions change a.ts');
  await take(edit(b, '/p/a.ts', ['+3']), edit(a, '/p/c.ts', ['+3']));
  await waitFor(() => expect(loop.sessionIndex.get(a)?.changes?.files).toBe(2));
  expect(notices).toHaveLength(1);
  await take(hook(b, 'SessionEnd', { reason: 'other' }));
  await waitFor(() => expect(marks(a)).toEqual([]));
  expect(marks(b)).toEqual([]);
});

test('an open request for a file that another session changed collides until it is answered', async () => {
  const { take, loop } = await opened();
  const marked = (id: string) => loop.sessionIndex.get(id)?.collisions.length;
  const input = { tool_name: 'Write', tool_input: { file_path: '/p/a.ts', content: 'x' } };
  await take(
    edit(a, '/p/a.ts', ['+1']),
    hook(b, 'UserPromptSubmit', { prompt: 'go' }),
    hook(b, 'PreToolUse', input),
    hook(b, 'PermissionRequest', input),
  );
  await waitFor(() => expect([marked(a), marked(b)]).toEqual([1, 1]));
  await take(hook(b, 'Stop'));
  await waitFor(() => expect([marked(a), marked(b)]).toEqual([0, 0]));
});

test('what a shell command changed is inferred at the end of the turn, in the turn it belongs to', async () => {
  const { dir, write } = repository();
  const { take, read, loop } = await opened();
  const bash = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'make' } };
  await take(hook(a, 'UserPromptSubmit', { prompt: 'Make it', cwd: dir }), hook(a, 'PreToolUse', bash));
  write('made.txt', 'x\n');
  await take(hook(a, 'PostToolUse', bash), hook(a, 'Stop'), hook(a, 'UserPromptSubmit', { prompt: 'Next' }));
  await waitFor(() => expect(loop.sessionIndex.get(a)?.changes).toEqual({ files: 1, added: 0, removed: 0 }));
  const { files, turns } = await read(a);
  expect(files).toMatchObject([{ path: join(dir, 'made.txt'), isInferred: true, isNew: true }]);
  expect(turns.map(({ prompt }) => prompt)).toEqual(['Make it']);
  const { git } = await read(a, 'git=1&diff=1');
  expect(git).toMatchObject({ root: dir, branch: 'main', files: [{ status: '??', path: 'made.txt' }] });
});

test('git does not run for a session that is reported from elsewhere', async () => {
  const { dir } = repository();
  const { take, read } = await opened();
  await take({ ...hook(a, 'UserPromptSubmit', { cwd: dir }), context: { host: 'laptop' } });
  await expect(read(a, 'git=1')).rejects.toThrow('has fired no hook on this machine');
});

test('forgotten sessions and old changes leave nothing', async () => {
  const { take, store, loop, aside } = await opened();
  const streams = { drop: () => {} };
  await take(edit(a, '/p/secret-a.ts', ['+secret']), edit(b, '/p/a.ts', ['+y']));
  forget(store, loop.sessionIndex, streams, aside, { id: a });
  expect(store.changes.read(a, 10, true)).toEqual([]);
  expect(store.changes.read(b, 10, true)).toHaveLength(1);
  const old = Date.now() - 40 * 86_400_000;
  await take(edit(b, '/p/old.ts', ['+y'], old));
  const bounds = { age: 30 * 86_400_000, events: 1e6, bytes: 1e12, sessionEvents: 1e6, sessionBytes: 1e12 };
  await new Retention(store, loop.sessionIndex, bounds, { now: Date.now }, () => {}).prune();
  expect(store.changes.read(b, 10, true).map(({ path }) => path)).toEqual(['/p/a.ts']);
  forget(store, loop.sessionIndex, streams, aside, { all: true });
  expect(store.changes.counts()).toEqual([]);
});

test('patches beyond the share of a session are dropped, oldest first, and counts stay', async () => {
  const { take, store } = await opened();
  await take(edit(a, '/p/a.ts', ['+1111111111']), edit(a, '/p/b.ts', ['+2222222222']));
  store.write(() => store.changes.trim(30, a));
  expect(store.changes.read(a, 10, true).map(({ patch, added }) => [patch === null, added])).toEqual([
    [true, 1],
    [false, 1],
  ]);
});

test('a log from before changes were kept is searched once, in steps', async () => {
  const { core, loop, store } = await openPipeline();
  await loop.append(
    [
      hook(a, 'UserPromptSubmit', { prompt: 'Old' }),
      ...Array.from({ length: limits.changes.backfillRows }, () => hook(a, 'Notification')),
      edit(a, '/p/a.ts', ['+1']),
    ].map(draft => ({ draft })),
  );
  const found: string[] = [];
  const projection = new ChangeProjection(store);
  const backfill = () => new Backfill(store, projection, ids => found.push(...ids), core.log.error);
  const first = backfill();
  first.step();
  expect([first.isDone, found]).toEqual([false, []]);
  const second = backfill();
  second.step();
  expect([second.isDone, found]).toEqual([true, [a]]);
  expect(store.changes.read(a, 10, true)).toMatchObject([{ path: '/p/a.ts', turn: 1, added: 1 }]);
  expect(backfill().isDone).toBe(true);
});
