import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TranscriptFollower } from './transcript-follower.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drover-follow-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('returns each complete line once, from an offset on, however it is split', () => {
  const path = join(folder, 'a.jsonl');
  const follow = new TranscriptFollower(path, 6);
  expect(follow.read()).toEqual([]);
  appendFileSync(path, 'first\n{"é');
  expect(follow.read()).toEqual([]);
  const bytes = Buffer.from('":"日"}\r\n\n  \nthird\nfour');
  for (const byte of bytes) appendFileSync(path, Buffer.of(byte));
  expect(follow.read()).toEqual(['{"é":"日"}', 'third']);
  appendFileSync(path, `${'x'.repeat(3_000_000)}\n`);
  expect(follow.read()).toEqual([`four${'x'.repeat(3_000_000)}`]);
  expect(follow.read()).toEqual([]);
});
