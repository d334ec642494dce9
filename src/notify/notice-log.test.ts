import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { NoticeEntry } from '../contract/notice.ts';
import { limits } from '../limits.ts';
import { NoticeLog } from './notice-log.ts';

const opened = () => {
  const dir = mkdtempSync(join(tmpdir(), 'dn-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'notices.jsonl');
  const errors: string[] = [];
  const open = () => new NoticeLog(file, message => void errors.push(message));
  return { dir, file, open, errors };
};

const entry = (at: number, more: Partial<NoticeEntry> = {}): NoticeEntry => ({
  at,
  outcome: 'sent',
  channel: 'ntfy',
  title: 'shop waits for you',
  reason: null,
  sessions: ['a'],
  since: null,
  ...more,
});

test('the next daemon knows what was sent and suppressed; a damaged line is skipped', () => {
  const { file, open } = opened();
  const log = open();
  log.add(entry(1));
  log.add(entry(2, { sessions: ['a', 'b'], outcome: 'failed', reason: 'HTTP status 500' }));
  log.add(entry(3, { outcome: 'suppressed', channel: null, reason: 'cooldown', sessions: ['c'], since: 9 }));
  appendFileSync(file, '{"at": 4, "outc');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const next = open();
  expect(next.newest(10)).toEqual(log.newest(10));
  expect(next.newest(1)).toMatchObject([{ at: 3 }]);
  expect(next.lastNotices()).toEqual(new Map(Object.entries({ a: 2, b: 2 })));
  expect(next.hasSuppressed('c', 9, 'cooldown')).toBe(true);
  expect(next.hasSuppressed('c', 10, 'cooldown')).toBe(false);
});

test('the file stays bounded, and forgetting a session removes its text from it', () => {
  const { file, open } = opened();
  const log = open();
  for (let n = 0; n <= 2 * limits.notify.logEntries; n++) log.add(entry(n, { sessions: [`s${n}`] }));
  expect(log.newest(100_000)).toHaveLength(limits.notify.logEntries);
  expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThanOrEqual(limits.notify.logEntries + 1);
  log.forget({ id: `s${2 * limits.notify.logEntries}` });
  expect(readFileSync(file, 'utf8')).not.toContain(`"s${2 * limits.notify.logEntries}"`);
  log.forget({ before: 2 * limits.notify.logEntries - 1 });
  expect(log.newest(10)).toMatchObject([{ at: 2 * limits.notify.logEntries - 1 }]);
  log.forget({ all: true });
  expect(readFileSync(file, 'utf8')).toBe('');
});

test('a log that cannot be written reports it and keeps what it knows', () => {
  const { dir, open, errors } = opened();
  const log = open();
  rmSync(dir, { recursive: true });
  log.add(entry(1));
  expect(errors).toEqual(['the log of notifications was not written']);
  expect(log.newest(1)).toHaveLength(1);
});
