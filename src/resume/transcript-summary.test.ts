import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { briefSummary, fullSummary } from './transcript-summary.ts';
import { forksOf } from './forks.ts';
import { listPast } from './transcripts.ts';

const id = (n: number) => `5eed000${n}-0000-4000-8000-000000000000`;

const setUp = () => {
  const dir = mkdtempSync(join(tmpdir(), 'dr-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const write = (n: number, lines: object[], slug = '-w-app') => {
    mkdirSync(join(dir, 'projects', slug), { recursive: true });
    const path = join(dir, 'projects', slug, `${id(n)}.jsonl`);
    writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
    return { id: id(n), path, slug };
  };
  return { dir, write };
};

const user = (content: unknown, more: object = {}) => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
});
const model = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  ...more,
});

test('reads directory, first prompt, last answer, title and branch', () => {
  const { write } = setUp();
  const file = write(1, [
    { type: 'mode', mode: 'normal' },
    user('<command-name>/model</command-name>', { cwd: '/w/app', uuid: 'u0' }),
    user('mend the gate', { cwd: '/w/app', uuid: 'u1', gitBranch: 'main' }),
    model('done', { cwd: '/w/app/sub' }),
    { type: 'ai-title', aiTitle: 'Gate work' },
    user([{ type: 'tool_result', content: 'noise' }], { cwd: '/elsewhere', gitBranch: 'fix' }),
    model('all mended'),
  ]);
  const wanted = {
    dir: '/w/app',
    branch: 'fix',
    title: 'Gate work',
    prompt: 'mend the gate',
    last: 'all mended',
  };
  expect(fullSummary(file)).toEqual(wanted);
  expect(briefSummary(file)).toEqual(wanted);
});

test('uses the directory of its own folder for a fork that begins with lines of another directory', () => {
  const { write } = setUp();
  const file = write(1, [user('one', { cwd: '/first' }), user('two', { cwd: '/w/app' })]);
  expect(fullSummary(file).dir).toBe('/w/app');
});

test('finds the last message before a copy of the system prompt', () => {
  const { write } = setUp();
  const snapshot = { type: 'attachment', attachment: { type: 'prompt_snapshot', text: 'x'.repeat(70_000) } };
  const file = write(1, [
    user('one', { cwd: '/w/app' }),
    model('the answer'),
    snapshot,
    { type: 'cost-state' },
  ]);
  expect(briefSummary(file)).toMatchObject({ dir: '/w/app', prompt: 'one', last: 'the answer' });
  expect(fullSummary(file)).toMatchObject({ last: 'the answer' });
});

test('handles large, empty, incomplete and missing files', () => {
  const { write, dir } = setUp();
  const large = write(1, [
    user('x'.repeat(100_000), { cwd: '/w/app' }),
    model('y'.repeat(1_000)),
    model('end'),
  ]);
  expect(briefSummary(large)).toMatchObject({ dir: null, prompt: null, last: 'end' });
  expect(fullSummary(large)).toMatchObject({ dir: '/w/app', last: 'end' });
  const nothing = { dir: null, branch: null, title: null, prompt: null, last: null };
  expect(fullSummary(write(2, []))).toEqual(nothing);
  expect(fullSummary({ path: join(dir, 'none'), slug: '' })).toEqual(nothing);
  writeFileSync(large.path, '{"type":"user","cwd":"/w/a');
  expect(fullSummary(large)).toEqual(nothing);
});

test('recognises forks by their copied lines, and the older file as the original', async () => {
  const { write } = setUp();
  // The id comes after a long prompt that contains another one.
  const long = `{"uuid":"u3"} ${'long '.repeat(10_000)}`;
  const one = write(1, [user(long, { uuid: 'u1' })]);
  await new Promise(resolve => setTimeout(resolve, 20));
  const two = write(2, [user(long, { uuid: 'u1' }), user('two', { uuid: 'u2' })]);
  write(3, [user('other', { uuid: 'u3' })]);
  // The original continues after the fork.
  utimesSync(one.path, new Date(), new Date(Date.now() + 5_000));
  expect(forksOf(one)).toEqual({ from: null, into: [two.id] });
  expect(forksOf(two)).toEqual({ from: one.id, into: [] });
});

test('lists the transcripts of all projects, newest first, without those of subagents', () => {
  const { dir, write } = setUp();
  const old = write(1, [user('one')]);
  write(2, [user('two')], '-w-other');
  utimesSync(old.path, 1_000, 1_000);
  writeFileSync(join(dir, 'projects', '-w-app', 'agent-1234.jsonl'), '');
  expect(listPast([dir, join(dir, 'none')]).map(past => [past.id, past.slug])).toEqual([
    [id(2), '-w-other'],
    [id(1), '-w-app'],
  ]);
});
