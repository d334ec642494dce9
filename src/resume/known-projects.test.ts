import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { slugOf } from '../claude/slug.ts';
import { aSession } from '../testing/session.ts';
import { knownProjects } from './known-projects.ts';

const id = '5eed0001-0000-4000-8000-000000000000';

const setUp = () => {
  const root = mkdtempSync(join(tmpdir(), 'dr-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const claude = join(root, 'claude');
  const project = (name: string) => {
    const dir = join(root, name);
    mkdirSync(dir);
    return dir;
  };
  /** A transcript that says where its session ran. */
  const transcript = (dir: string, seconds: number) => {
    const folder = join(claude, 'projects', slugOf(dir));
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${id}.jsonl`);
    writeFileSync(path, `${JSON.stringify({ type: 'user', cwd: dir, message: { content: 'x' } })}\n`);
    utimesSync(path, seconds, seconds);
  };
  return { root, claude, project, transcript };
};

test('directories of sessions and of older transcripts, most recently used first, each once', () => {
  const { claude, project, transcript } = setUp();
  const [shop, blog, api] = [project('shop'), project('blog'), project('api')];
  transcript(shop, 1);
  transcript(blog, 2);
  const sessions = [
    aSession({ dir: shop, touched: 9_000 }),
    aSession({ dir: api, touched: 500 }),
    aSession({ dir: api, touched: 1_000 }),
  ];
  expect(knownProjects(sessions, [claude])).toEqual([
    { dir: shop, project: 'shop', at: 9_000 },
    { dir: blog, project: 'blog', at: 2_000 },
    { dir: api, project: 'api', at: 1_000 },
  ]);
});

test('what is gone, runs elsewhere or is headless is not listed', () => {
  const { root, claude, project, transcript } = setUp();
  const dir = project('kept');
  transcript(join(root, 'gone'), 3);
  const sessions = [
    aSession({ dir: join(root, 'never') }),
    aSession({ dir, host: 'desk', origin: 'desk' }),
    aSession({ dir, headless: true }),
  ];
  expect(knownProjects(sessions, [claude, join(root, 'no-claude')])).toEqual([]);
});
