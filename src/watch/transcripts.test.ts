/** Transcripts are asked where there is a question, and only then. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Draft, Event } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { emptyMemory, type Folded, type Memory } from '../session/memory.ts';
import { timing } from '../session/timing.ts';
import { Transcripts } from './transcripts.ts';

const evidence = (at: number) => ({ source: 'file' as const, name: 'FileStatus', seq: 1, at });
const idle = { status: 'idle', waitingFor: null, evidence: evidence(9_000), lag: 0 };
const heard = { source: 'file', name: 'FileStatus' } as Event;

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
    memory: { ...emptyMemory(1_000), file: idle, ...memory },
  } as unknown as Folded;
  const drafts: Draft[] = [];
  const transcripts = new Transcripts(
    () => [dir],
    () => session,
    taken => drafts.push(...taken),
  );
  const told = () => drafts.filter(({ name }) => name !== 'Usage').map(({ name, at }) => [name, at]);
  return { path, session, transcripts, drafts, told };
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

test('without hooks an answer is told as soon as the file is idle', () => {
  const { session, transcripts, told } = setUp({ prompted: 5_000 }, [prompt, answer(8_000)]);
  transcripts.hear(heard, session);
  expect(told()).toEqual([['Answered', 8_000]]);
});

test('with hooks the Stop is given its moment, an interrupt is told at once', () => {
  const answered = setUp({ prompted: 5_000, hooked: 5_000 }, [prompt, answer(8_000)]);
  answered.transcripts.hear(heard, answered.session);
  expect(answered.told()).toEqual([]);
  answered.transcripts.read([answered.session]);
  expect(answered.told()).toEqual([['Answered', 8_000]]);
  const escaped = setUp({ prompted: 5_000, hooked: 5_000 }, [prompt, interrupt]);
  escaped.transcripts.hear(heard, escaped.session);
  expect(escaped.told()).toEqual([['Interrupted', 9_000]]);
});

test('an answer that is not written yet is no interrupt before the moment has passed', () => {
  const { session, transcripts, told } = setUp({ prompted: 5_000 }, [prompt]);
  transcripts.hear(heard, session);
  expect(told()).toEqual([]);
  transcripts.read([session]);
  expect(told()).toEqual([['Interrupted', 9_000]]);
});

test('a file that is idle from before the prompt tells nothing of its turn', () => {
  const now = Date.now();
  const asked = { ...prompt, timestamp: at(now) };
  const before = { ...idle, evidence: evidence(now - 300) };
  const begun = setUp({ prompted: now, hooked: now, file: before }, [prompt, asked]);
  begun.transcripts.read([begun.session]);
  expect(begun.told()).toEqual([]);
  // It does when it has had the time to follow: a hook refused the prompt.
  const long = now - timing.promptRefused;
  const refused = setUp({ prompted: long, hooked: long, file: { ...idle, evidence: evidence(long - 300) } }, [
    { ...prompt, timestamp: at(long) },
  ]);
  refused.transcripts.read([refused.session]);
  expect(refused.told()).toEqual([['Interrupted', long]]);
});

test('an answer that comes late still counts', async () => {
  const { path, session, transcripts, told } = setUp({ prompted: 5_000 }, [prompt]);
  transcripts.hear(heard, session);
  expect(told()).toEqual([]);
  writeFileSync(path, `${JSON.stringify(prompt)}\n${JSON.stringify(answer(8_000))}\n`);
  await vi.waitFor(() => expect(told()).toEqual([['Answered', 8_000]]), 5_000);
});

test('the interrupt of the turn before is not that of this one', () => {
  const { session, transcripts, told } = setUp({ prompted: 8_500 }, [prompt, interrupt]);
  transcripts.hear(heard, session);
  transcripts.read([session]);
  expect(told()).toEqual([]);
});

test('what is older than this run or this turn says nothing', () => {
  const run = setUp({ began: 9_000 }, [prompt, answer(8_000)]);
  run.transcripts.hear(heard, run.session);
  run.transcripts.read([run.session]);
  expect(run.told()).toEqual([]);
  const turn = setUp({ prompted: 11_000 }, [prompt, answer(8_000)]);
  turn.transcripts.read([turn.session]);
  expect(turn.told()).toEqual([]);
});

test('an end that was taken for an interrupt is put right', () => {
  const end = { kind: 'interrupted' as const, detail: null, tasks: [], evidence: evidence(9_000) };
  const { session, transcripts, told } = setUp({ prompted: 5_000, end }, [prompt, answer(8_000)]);
  transcripts.read([session]);
  expect(told()).toEqual([['Answered', 8_000]]);
});

test('a known end is asked again only where no hook would tell of another turn', () => {
  const end = { kind: 'stopped' as const, detail: null, tasks: [], evidence: evidence(6_000) };
  const live = setUp({ prompted: 5_000, hooked: 6_000, end }, [prompt, answer(8_000)]);
  live.transcripts.read([live.session]);
  expect(live.told()).toEqual([]);
  const mute = setUp({ prompted: 5_000, end }, [prompt, answer(8_000)]);
  mute.transcripts.read([mute.session]);
  expect(mute.told()).toEqual([['Answered', 8_000]]);
});

test('the context in use is told once', () => {
  const usage = { input_tokens: 20_000 };
  const { session, transcripts, drafts } = setUp({ prompted: 5_000 }, [prompt, answer(8_000, usage)]);
  transcripts.hear(heard, session);
  transcripts.hear(heard, session);
  const used = drafts.filter(({ name }) => name === 'Usage');
  expect(used.map(({ raw }) => JSON.parse(Buffer.from(raw).toString()) as unknown)).toEqual([
    { session_id: 'a', tokens: 20_000, window: 200_000, percent: 10 },
  ]);
});

test('the context is looked for a moment after the last sign of an end, not after the first', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { path, session, transcripts, drafts } = setUp({ prompted: 5_000, hooked: 5_000 }, [prompt]);
  transcripts.hear({ source: 'hook', name: 'SessionStart' } as Event, session);
  vi.advanceTimersByTime(limits.transcript.usageRead - 10);
  transcripts.hear({ source: 'hook', name: 'Stop' } as Event, session);
  vi.advanceTimersByTime(60);
  appendFileSync(path, `${JSON.stringify(answer(8_000, { input_tokens: 100, output_tokens: 1 }))}\n`);
  vi.advanceTimersByTime(limits.transcript.usageRead);
  expect(drafts.map(({ name }) => name)).toContain('Usage');
});

test('a transcript that is not there, cut short or torn holds nothing up', () => {
  const { path, session, transcripts, told } = setUp({ prompted: 5_000 }, [prompt, answer(8_000)]);
  writeFileSync(path, '{"type":"assis');
  transcripts.hear(heard, session);
  rmSync(path);
  transcripts.hear(heard, session);
  transcripts.read([session]);
  expect(told()).toEqual([]);
});
