import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import { processStart } from '../platform/processes.ts';
import { SessionFiles } from './session-files.ts';

const setUp = () => {
  const dir = mkdtempSync(join(tmpdir(), 'du-'));
  const folder = join(dir, 'sessions');
  mkdirSync(folder);
  const drafts: Draft[] = [];
  const files = new SessionFiles(
    () => [dir],
    taken => drafts.push(...taken),
    systemClock,
    message => {
      throw new Error(message);
    },
  );
  onTestFinished(() => {
    files.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const path = join(folder, `${process.pid}.json`);
  const write = (fields: object) => writeFileSync(path, text(fields));
  return { dir, folder, drafts, files, path, write };
};

/** The test's own process plays the CLI. */
const text = (fields: object): string =>
  JSON.stringify({
    pid: process.pid,
    sessionId: 'a',
    cwd: '/w',
    procStart: processStart(process.pid),
    status: 'idle',
    statusUpdatedAt: 1_000,
    entrypoint: 'cli',
    secret: 'x',
    ...fields,
  });

const payload = (draft: Draft | undefined): unknown => JSON.parse(Buffer.from(draft?.raw ?? []).toString());

test('publishes a status once, with its own time and only named fields', () => {
  const { drafts, files, write } = setUp();
  write({});
  files.scan();
  files.scan();
  expect(drafts).toHaveLength(1);
  expect(drafts[0]).toMatchObject({ at: 1_000, source: 'file', name: 'FileStatus', sessionId: 'a' });
  expect(drafts[0]?.context).toMatchObject({ pid: process.pid, entrypoint: 'cli' });
  expect(payload(drafts[0])).not.toHaveProperty('secret');
});

test('publishes the same status at another time: a turn was missed', () => {
  const { drafts, files, write } = setUp();
  write({});
  files.scan();
  write({ statusUpdatedAt: 2_000 });
  files.read([process.pid]);
  expect(drafts.map(({ at }) => at)).toEqual([1_000, 2_000]);
});

test('notices a change and the removal without a scan', async () => {
  const { drafts, files, path, write } = setUp();
  files.start();
  write({ status: 'busy' });
  await vi.waitFor(() => expect(drafts.map(({ name }) => name)).toEqual(['FileStatus']), 5_000);
  rmSync(path);
  await vi.waitFor(() => expect(drafts.map(({ name }) => name)).toEqual(['FileStatus', 'FileGone']), 5_000);
});

test('reads an incomplete file again', async () => {
  const { drafts, files, path, write } = setUp();
  write({});
  files.scan();
  writeFileSync(path, text({ status: 'busy' }).slice(0, 30));
  files.scan();
  expect(drafts).toHaveLength(1);
  write({ status: 'busy', statusUpdatedAt: 2_000 });
  await vi.waitFor(() => expect(payload(drafts[1])).toMatchObject({ status: 'busy' }), 5_000);
});

test('ignores the file of a process that has exited or whose pid was reused', () => {
  const { drafts, files, folder, write } = setUp();
  write({ procStart: '1', startedAt: 1 });
  writeFileSync(join(folder, '4194305.json'), text({ pid: 4_194_305 }));
  writeFileSync(join(folder, `0${process.pid}.json`), text({ pid: 1 }));
  files.scan();
  expect(drafts).toEqual([]);
});

test('never opens anything but session files', () => {
  const { drafts, files, folder } = setUp();
  // Opening a pipe that nobody writes to would never return.
  for (const name of ['1.key', '1.json.key', 'x.json', '1.json.tmp', '-1.json'])
    execFileSync('mkfifo', [join(folder, name)]);
  files.scan();
  expect(drafts).toEqual([]);
});

test('watches a Claude folder that is created later, from its first session on', async () => {
  const { dir, folder, drafts, files, write } = setUp();
  rmSync(dir, { recursive: true });
  files.start();
  mkdirSync(folder, { recursive: true });
  write({});
  await vi.waitFor(() => expect(drafts).toHaveLength(1), { timeout: 2_000 });
  write({ status: 'busy', statusUpdatedAt: 2_000 });
  await vi.waitFor(() => expect(drafts).toHaveLength(2), { timeout: 2_000 });
});
