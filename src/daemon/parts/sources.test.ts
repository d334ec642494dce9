/** A store that fails for a while: what the sources reported meanwhile is not lost. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { processStart } from '../../platform/processes.ts';
import { openDatabase } from '../../store/sqlite.ts';
import { emit } from '../../testing/emit.ts';
import { openPipeline } from '../../testing/pipeline.ts';
import { claudeDirOf } from '../../testing/home.ts';
import { openSources } from './sources.ts';
import { waitFor } from '../../testing/wait-for.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

/** The sources over one Claude folder, with this test's own process as the CLI. */
const opened = async () => {
  const { core, loop, receive, paths, errors } = await openPipeline();
  const dir = claudeDirOf(paths);
  mkdirSync(join(dir, 'sessions'), { recursive: true });
  const sources = openSources(core, { receive, seen: () => {} });
  loop.addViews([sources]);
  await receive.start();
  await sources.start?.();
  onTestFinished(() => sources.close?.());
  const file = (status: string, waitingFor?: string) =>
    writeFileSync(
      join(dir, 'sessions', `${process.pid}.json`),
      JSON.stringify({
        pid: process.pid,
        sessionId: id,
        procStart: processStart(process.pid),
        status,
        waitingFor,
        statusUpdatedAt: Date.now(),
        entrypoint: 'cli',
      }),
    );
  const hook = (name: string, fields = {}) =>
    emit(paths, name, JSON.stringify({ hook_event_name: name, session_id: id, ...fields }));
  const becomes = (state: string, timeout = 3_000) =>
    vi.waitFor(() => expect(loop.sessionIndex.get(id)).toMatchObject({ state }), { timeout, interval: 20 });
  return { paths, loop, errors, file, hook, becomes };
};

test('a state reported while the database is locked is right within 3 s after it is unlocked', async () => {
  const { paths, loop, errors, file, hook, becomes } = await opened();
  file('busy');
  await hook('UserPromptSubmit', { prompt: 'go' });
  await becomes('working');
  const other = await openDatabase(paths.db);
  other.exec('BEGIN IMMEDIATE');
  file('waiting', 'permission prompt');
  await hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } });
  // Both have failed because of the lock, more than once.
  await vi.waitFor(() => expect(loop.counts.failed).toBeGreaterThan(5), 10_000);
  expect(errors.join()).toContain('locked');
  expect(loop.sessionIndex.get(id)?.state).toBe('working');
  other.exec('ROLLBACK');
  other.close();
  await becomes('waiting');
  expect(loop.sessionIndex.get(id)).toMatchObject({ reason: 'permission', detail: { line: 'Bash: ls' } });
  expect(loop.pending).toBe(0);
});

test('the wait before a tentative state is confirmed starts again when it could not be recorded', async () => {
  const { paths, loop, file, hook, becomes } = await opened();
  file('busy');
  await hook('UserPromptSubmit', { prompt: 'go' });
  await becomes('working');
  // An interrupt: only the file shows it, and only after some time.
  const append = vi.spyOn(loop, 'append');
  const other = await openDatabase(paths.db);
  file('idle');
  await waitFor(() => expect(loop.sessionIndex.get(id)?.memory.file?.status).toBe('idle'));
  other.exec('BEGIN IMMEDIATE');
  await vi.waitFor(
    () =>
      expect(
        append.mock.calls.flat(2).filter(({ draft }) => draft.name === 'Settled').length,
      ).toBeGreaterThan(1),
    10_000,
  );
  other.exec('ROLLBACK');
  other.close();
  await becomes('waiting');
});
