import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../clock.ts';
import type { Draft, Event } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { emptyMemory, type Folded, type Memory, noNames } from '../session/memory.ts';
import { timing } from '../session/timing.ts';
import { Transcripts } from './transcripts.ts';

const evidence = (at: number) => ({ source: 'file' as const, name: 'FileStatus', seq: 1, at });
const idle = { status: 'idle', waitingFor: null, evidence: evidence(9_000), lag: 0 };
const idleEvent = { source: 'file', name: 'FileStatus' } as Event;

const setUp = (memory: Partial<Memory>, lines: object[]) => {
  const dir = mkdtempSync(join(tmpdir(), 'du-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, 'projects', '-w'), { recursive: true });
  const path = join(dir, 'projects', '-w', 'a.jsonl');
  writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  const session = {
    id: 'a',
    state: 'working',
    dir: '/w',
    host: null,
    transcript: null,
    context: null,
    model: null,
    hooks: 'live',
    names: noNames,
    memory: { ...emptyMemory(1_000), file: idle, ...memory },
  } as unknown as Folded;
  const drafts: Draft[] = [];
  const transcripts = new Transcripts(
    () => [dir],
    () => session,
    taken => drafts.push(...taken),
    systemClock,
  );
  const published = () => drafts.filter(({ name }) => name !== 'Usage').map(({ name, at }) => [name, at]);
  return { path, session, transcripts, drafts, published };
};

const at = (ms: number) => new Date(ms).toISOString();
const prompt = { type: 'user', timestamp: at(5_000), message: { content: 'hi' } };
const answer = (ms: number, usage?: object) => ({
  type: 'assistant',
  timestamp: at(ms),
  message: { model: 'claude-opus-4-1', content: [{ type: 'text', text: 'hello' }], usage },
});
const interrupt = {
  type: 'user',
  timestamp: at(8_000),
  message: { content: '[Request interrupted by user]' },
};

test('without hooks, publishes an answer as soon as the file is idle', () => {
  const { session, transcripts, published } = setUp({ prompted: 5_000 }, [prompt, answer(8_000)]);
  transcripts.onEvent(idleEvent, session);
  expect(published()).toEqual([['Answered', 8_000]]);
});

test('reads nothing once it is closed, neither at once nor later', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { path, session, transcripts, drafts } = setUp({ prompted: 5_000, hooked: 5_000 }, [prompt]);
  transcripts.onEvent(idleEvent, session);
  const before = drafts.length;
  appendFileSync(path, `${JSON.stringify(answer(8_000, { input_tokens: 5 }))}\n`);
  transcripts.close();
  vi.advanceTimersByTime(60_000);
  transcripts.onEvent(idleEvent, session);
  expect(drafts).toHaveLength(before);
});

test('with hooks, waits for the Stop hook, but publishes an interrupt at once', () => {
  const answered = setUp({ prompted: 5_000, hooked: 5_000 }, [prompt, answer(8_000)]);
  answered.transcripts.onEvent(idleEvent, answered.session);
  expect(answered.published()).toEqual([]);
  answered.transcripts.read([answered.session]);
  expect(answered.published()).toEqual([['Answered', 8_000]]);
  const escaped = setUp({ prompted: 5_000, hooked: 5_000 }, [prompt, interrupt]);
  escaped.transcripts.onEvent(idleEvent, escaped.session);
  expect(escaped.published()).toEqual([['Interrupted', 9_000]]);
});

test('a missing answer counts as an interrupt only after a while', () => {
  const { session, transcripts, published } = setUp({ prompted: 5_000 }, [prompt]);
  transcripts.onEvent(idleEvent, session);
  expect(published()).toEqual([]);
  transcripts.read([session]);
  expect(published()).toEqual([['Interrupted', 9_000]]);
});

test('a file that was idle before the prompt says nothing about its turn', () => {
  const now = Date.now();
  const asked = { ...prompt, timestamp: at(now) };
  const before = { ...idle, evidence: evidence(now - 300) };
  const begun = setUp({ prompted: now, hooked: now, file: before }, [prompt, asked]);
  begun.transcripts.read([begun.session]);
  expect(begun.published()).toEqual([]);
  // It does after enough time has passed: a hook rejected the prompt.
  const long = now - timing.promptRefused;
  const refused = setUp({ prompted: long, hooked: long, file: { ...idle, evidence: evidence(long - 300) } }, [
    { ...prompt, timestamp: at(long) },
  ]);
  refused.transcripts.read([refused.session]);
  expect(refused.published()).toEqual([['Interrupted', long]]);
});

test('an answer that comes late still counts', async () => {
  const { path, session, transcripts, published } = setUp({ prompted: 5_000 }, [prompt]);
  transcripts.onEvent(idleEvent, session);
  expect(published()).toEqual([]);
  writeFileSync(path, `${JSON.stringify(prompt)}\n${JSON.stringify(answer(8_000))}\n`);
  await vi.waitFor(() => expect(published()).toEqual([['Answered', 8_000]]), 5_000);
});

test('the interrupt of the previous turn does not count for this one', () => {
  const { session, transcripts, published } = setUp({ prompted: 8_500 }, [prompt, interrupt]);
  transcripts.onEvent(idleEvent, session);
  transcripts.read([session]);
  expect(published()).toEqual([]);
});

test('ignores lines older than this run or this turn', () => {
  const run = setUp({ began: 9_000 }, [prompt, answer(8_000)]);
  run.transcripts.onEvent(idleEvent, run.session);
  run.transcripts.read([run.session]);
  expect(run.published()).toEqual([]);
  const turn = setUp({ prompted: 11_000 }, [prompt, answer(8_000)]);
  turn.transcripts.read([turn.session]);
  expect(turn.published()).toEqual([]);
});

test('corrects an end that was mistaken for an interrupt', () => {
  const end = {
    kind: 'interrupted' as const,
    detail: null,
    outcome: null,
    failure: null,
    limit: null,
    tasks: [],
    evidence: evidence(9_000),
  };
  const { session, transcripts, published } = setUp({ prompted: 5_000, end }, [prompt, answer(8_000)]);
  transcripts.read([session]);
  expect(published()).toEqual([['Answered', 8_000]]);
});

test('checks a known end again only where no hook would report another turn', () => {
  const end = {
    kind: 'stopped' as const,
    detail: null,
    outcome: null,
    failure: null,
    limit: null,
    tasks: [],
    evidence: evidence(6_000),
  };
  const live = setUp({ prompted: 5_000, hooked: 6_000, end }, [prompt, answer(8_000)]);
  live.transcripts.read([live.session]);
  expect(live.published()).toEqual([]);
  const mute = setUp({ prompted: 5_000, end }, [prompt, answer(8_000)]);
  mute.transcripts.read([mute.session]);
  expect(mute.published()).toEqual([['Answered', 8_000]]);
});

test('publishes the context in use once', () => {
  const usage = { input_tokens: 20_000 };
  const { session, transcripts, drafts } = setUp({ prompted: 5_000 }, [prompt, answer(8_000, usage)]);
  transcripts.onEvent(idleEvent, session);
  transcripts.onEvent(idleEvent, session);
  const used = drafts.filter(({ name }) => name === 'Usage');
  expect(used.map(({ raw }) => JSON.parse(Buffer.from(raw).toString()) as unknown)).toEqual([
    { session_id: 'a', tokens: 20_000, window: 200_000, percent: 10, windowSource: 'assumed' },
  ]);
});

test('reads the context shortly after the last sign of an end, not after the first', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { path, session, transcripts, drafts } = setUp({ prompted: 5_000, hooked: 5_000 }, [prompt]);
  transcripts.onEvent({ source: 'hook', name: 'SessionStart' } as Event, session);
  vi.advanceTimersByTime(50);
  transcripts.onEvent({ source: 'hook', name: 'Stop' } as Event, session);
  vi.advanceTimersByTime(60);
  appendFileSync(path, `${JSON.stringify(answer(8_000, { input_tokens: 100, output_tokens: 1 }))}\n`);
  vi.advanceTimersByTime(Math.max(...limits.transcript.usageReads));
  expect(drafts.map(({ name }) => name)).toContain('Usage');
});

test('a missing, truncated or damaged transcript blocks nothing', () => {
  const { path, session, transcripts, published } = setUp({ prompted: 5_000 }, [prompt, answer(8_000)]);
  writeFileSync(path, '{"type":"assis');
  transcripts.onEvent(idleEvent, session);
  rmSync(path);
  transcripts.onEvent(idleEvent, session);
  transcripts.read([session]);
  expect(published()).toEqual([]);
});

const titles = (drafts: Draft[]) =>
  drafts
    .filter(({ name }) => name === 'Titles')
    .map(({ raw }) => JSON.parse(Buffer.from(raw).toString()) as { custom: unknown; generated: unknown })
    .map(({ custom, generated }) => ({ custom, generated }));

test('publishes new titles once, the generated one also from the beginning of a long transcript', () => {
  const filler = { type: 'user', isMeta: true, message: { content: 'x'.repeat(600_000) } };
  const { session, transcripts, drafts } = setUp({ prompted: 5_000 }, [
    { type: 'ai-title', aiTitle: 'Fix the checkout' },
    { type: 'custom-title', customTitle: 'first name' },
    filler,
    { type: 'custom-title', customTitle: ' Payments\nwork ' },
    prompt,
  ]);
  transcripts.onEvent(idleEvent, session);
  expect(titles(drafts)).toEqual([{ custom: 'Payments work', generated: 'Fix the checkout' }]);
  session.names = { person: null, inClaude: 'Payments work', generated: 'Fix the checkout' };
  transcripts.onEvent(idleEvent, session);
  expect(titles(drafts)).toHaveLength(1);
});

test('an old name from the beginning does not replace the name that is known', () => {
  const filler = { type: 'user', isMeta: true, message: { content: 'x'.repeat(600_000) } };
  const { session, transcripts, drafts } = setUp({ prompted: 5_000 }, [
    { type: 'custom-title', customTitle: 'first name' },
    filler,
    prompt,
  ]);
  session.names = { person: 'second', inClaude: 'second', generated: null };
  transcripts.onEvent(idleEvent, session);
  expect(titles(drafts)).toEqual([]);
});

test('a title that is written after the first turn is found', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { path, session, transcripts, drafts } = setUp({ prompted: 5_000 }, [prompt]);
  transcripts.onEvent(idleEvent, session);
  await vi.advanceTimersByTimeAsync(2_000);
  appendFileSync(path, `${JSON.stringify({ type: 'ai-title', aiTitle: 'Late' })}\n`);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(titles(drafts)).toEqual([{ custom: null, generated: 'Late' }]);
});
