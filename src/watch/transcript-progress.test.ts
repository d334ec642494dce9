import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Folded } from '../session/memory.ts';
import { hookDraft, openPipeline } from '../testing/pipeline.ts';
import { TranscriptProgress } from './transcript-progress.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

/** A session that is known from its hooks alone, and whose turn has ended. */
const setUp = async () => {
  let now = Date.now();
  const clock = { now: () => now };
  const pipeline = await openPipeline(undefined, clock);
  const { loop, paths } = pipeline;
  const transcript = join(paths.home, `${id}.jsonl`);
  writeFileSync(transcript, '');
  const line = (type: string, content: unknown) =>
    appendFileSync(
      transcript,
      `${JSON.stringify({ type, timestamp: new Date(now).toISOString(), message: { role: type, content } })}\n`,
    );
  const hook = (name: string, fields: object = {}) =>
    loop.append([
      { draft: { ...hookDraft(name, { session_id: id, transcript_path: transcript, ...fields }), at: now } },
    ]);
  const progress = new TranscriptProgress(
    () => loop.sessionIndex.live(),
    drafts => void loop.append(drafts.map(draft => ({ draft }))),
    clock,
  );
  const pass = async (ms: number) => {
    now += ms;
    await loop.append([
      { draft: { ...hookDraft('Settled', { session_id: id }), at: now, source: 'drover', name: 'Settled' } },
    ]);
  };
  const poll = () => {
    progress.poll();
    loop.flush();
  };
  await hook('SessionStart');
  await pass(100);
  line('user', 'do it');
  await hook('UserPromptSubmit');
  await pass(100);
  line('assistant', [{ type: 'text', text: 'first' }]);
  await pass(100);
  await hook('Stop', { last_assistant_message: 'first' });
  await pass(1_000);
  return { line, hook, pass, poll, loop, session: () => loop.sessionIndex.get(id) as Folded };
};

test('a transcript that continues after the Stop takes the session out of the queue', async () => {
  const { line, poll, pass, session } = await setUp();
  poll();
  expect(session()).toMatchObject({ state: 'waiting', reason: 'stopped', detail: { line: 'first' } });
  // Neither a slash command nor a line of Claude Code's own is progress.
  line('user', '<command-name>/cost</command-name>');
  line('system', 'turn took 3 s');
  poll();
  expect(session().state).toBe('waiting');
  await pass(1_000);
  line('user', 'go on');
  poll();
  expect(session()).toMatchObject({
    state: 'working',
    evidence: { source: 'transcript', name: 'Progressed' },
  });
  await pass(3_000);
  expect(session().hooks).toBe('silent');
});

test('a turn that no hook reports ends when its answer is there and nothing more is written', async () => {
  const { line, poll, pass, session } = await setUp();
  await pass(1_000);
  line('user', 'go on');
  line('assistant', [{ type: 'text', text: 'second' }]);
  poll();
  poll();
  expect(session().state).toBe('working');
  await pass(9_000);
  poll();
  expect(session().state).toBe('working');
  line('assistant', [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }]);
  await pass(20_000);
  poll();
  expect(session().state).toBe('working');
  line('user', [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }]);
  line('assistant', [{ type: 'text', text: 'third' }]);
  poll();
  await pass(10_000);
  poll();
  await pass(1_000);
  expect(session()).toMatchObject({ state: 'waiting', reason: 'stopped', detail: { line: 'third' } });
});

test('with a session file, or for a session elsewhere, the transcript is not asked', async () => {
  const { line, poll, pass, loop, session } = await setUp();
  const raw = Buffer.from(JSON.stringify({ session_id: id, status: 'idle', pid: process.pid }));
  const at = session().memory.end?.evidence.at ?? 0;
  await loop.append([
    { draft: { at: at + 1, source: 'file', name: 'FileStatus', sessionId: id, context: {}, raw } },
  ]);
  await pass(1_000);
  line('user', 'go on');
  poll();
  expect(session()).toMatchObject({ state: 'waiting', reason: 'stopped' });
});
