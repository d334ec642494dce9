/** Files of other kinds in place of a transcript neither block the daemon nor are read whole. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TranscriptFollower } from '../driver/turn/transcript-follower.ts';
import { briefSummary } from '../resume/transcript-summary.ts';
import { textsFrom } from '../resume/indexer.ts';
import { tempHome } from '../testing/home.ts';
import { readFrom, readSmall } from './read-file.ts';
import { readSessionStatus } from './session-status.ts';
import { readTail } from './transcript-file.ts';
import { transcriptPage } from './transcript-page.ts';

const nothing = { dir: null, branch: null, title: null, prompt: null, last: null };

/** A FIFO without a writer, a folder, a terminal and a link to the FIFO. */
const oddities = (): string[] => {
  const { home } = tempHome();
  mkdirSync(home, { recursive: true });
  const fifo = join(home, 'fifo');
  execFileSync('mkfifo', [fifo]);
  symlinkSync(fifo, join(home, 'link'));
  return [fifo, join(home, 'link'), home, '/dev/zero', '/dev/tty', join(home, 'nowhere')];
};

test('a FIFO, a folder and a device are not read, and nothing waits for them', () => {
  for (const path of oddities()) {
    expect(readFrom(path, () => 'read')).toBeNull();
    expect(readSmall(path, 100)).toBeNull();
    expect(readTail(path)).toBeNull();
    expect(transcriptPage(path, 0, 10)).toBeNull();
    expect(briefSummary({ path, slug: 'x' })).toEqual(nothing);
    expect(new TranscriptFollower(path, 0).read()).toEqual([]);
    expect(() => textsFrom(path, { read: 0 } as never, 10)).toThrow(/is not a file|no such/);
  }
});

test('a session file that is a FIFO is ignored', () => {
  const { home } = tempHome();
  mkdirSync(join(home, 'sessions'), { recursive: true });
  execFileSync('mkfifo', [join(home, 'sessions', '7.json')]);
  expect(readSessionStatus(home, 7)).toBeNull();
});

test('a file of 500 MB without a line end is read in pieces', () => {
  const { home } = tempHome();
  mkdirSync(home, { recursive: true });
  const path = join(home, 'large');
  const fd = openSync(path, 'w');
  ftruncateSync(fd, 500_000_000);
  writeSync(fd, '{"type":"user","message":{"content":"first"}}\n', 0);
  closeSync(fd);
  const before = process.memoryUsage().rss;
  expect(readSmall(path, 1_000)).toBeNull();
  expect(readTail(path)?.fromStart).toBe(false);
  const page = transcriptPage(path, 0, 10);
  expect(page?.messages.map(({ text }) => text)).toEqual(['first']);
  expect(page?.next).toBeLessThan(20_000_000);
  expect(transcriptPage(path, page?.next ?? 0, 10)?.next).toBeGreaterThan(page?.next ?? 0);
  briefSummary({ path, slug: 'x' });
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
});

test('a small file is read whole, one that is a byte too large is not', () => {
  const { home } = tempHome();
  mkdirSync(home, { recursive: true });
  const path = join(home, 'small');
  writeFileSync(path, 'é'.repeat(50));
  expect(readSmall(path, 100)).toBe('é'.repeat(50));
  expect(readSmall(path, 99)).toBeNull();
});
