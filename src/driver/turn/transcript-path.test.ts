/** Finds a transcript from a hook payload. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { transcriptPath, transcriptSizes } from './transcript-path.ts';

let claude: string;

beforeEach(() => {
  claude = mkdtempSync(join(tmpdir(), 'dv-claude-'));
});

afterEach(() => rmSync(claude, { recursive: true }));

const put = (folder: string, name: string, text: string): string => {
  mkdirSync(join(claude, 'projects', folder), { recursive: true });
  const path = join(claude, 'projects', folder, name);
  writeFileSync(path, text);
  return path;
};

const sparse = { sessionId: 'a-b', transcript: null, cwd: null };

test('the path in the payload comes first', () => {
  expect(transcriptPath(claude, '/x', { ...sparse, transcript: '/elsewhere/t.jsonl' })).toBe(
    '/elsewhere/t.jsonl',
  );
});

test('without a path it is made from the id and the folder of the payload or the run', () => {
  expect(transcriptPath(claude, '/home/me/.x_y', sparse)).toBe(
    join(claude, 'projects', '-home-me--x-y', 'a-b.jsonl'),
  );
  expect(transcriptPath(claude, '/x', { ...sparse, cwd: '/tmp' })).toBe(
    join(claude, 'projects', '-tmp', 'a-b.jsonl'),
  );
});

test('without an id there is no path', () => {
  put('-tmp', 'newest.jsonl', '');
  expect(transcriptPath(claude, '/tmp', { ...sparse, sessionId: null })).toBe(null);
});

test('reads the sizes of existing transcripts', () => {
  const path = put('-tmp', 'a-b.jsonl', 'four');
  put('-tmp', 'notes.txt', 'x');
  put('-var', 'c-d.jsonl', 'x');
  expect([...transcriptSizes(claude, '/tmp')]).toEqual([[path, 4]]);
  expect(transcriptSizes(claude, '/elsewhere').size).toBe(0);
});
