import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { shortSocketName } from '../../daemon/short-socket.ts';
import { pathsAt } from '../../paths.ts';
import { takeLock } from '../../store/lock.ts';
import { staleFileRepairs } from './stale-files.ts';

/** A socket that its server has left behind. */
const leaveSocket = async (file: string): Promise<void> => {
  const server = createServer();
  await new Promise<void>(done => server.listen(`${file}.new`, done));
  renameSync(`${file}.new`, file);
  await new Promise(done => server.close(done));
};

const opened = async () => {
  const home = mkdtempSync(join(tmpdir(), 'dv-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const paths = pathsAt(home);
  const socket = join(home, shortSocketName(home));
  writeFileSync(paths.daemon, JSON.stringify({ pid: 1, socket }));
  writeFileSync(paths.pid, '1');
  await leaveSocket(socket);
  mkdirSync(paths.starting);
  return { paths, socket };
};

test('what a dead daemon left is removed; the mark of a start in progress is not', async () => {
  const { paths, socket } = await opened();
  const [first] = await staleFileRepairs(paths);
  expect(first?.changes).toEqual([paths.daemon, paths.pid, socket].map(file => `remove ${file}`));
  utimesSync(paths.starting, 1, 1);
  const [repair] = await staleFileRepairs(paths);
  await repair?.run();
  for (const file of [paths.daemon, paths.pid, socket, paths.starting]) expect(existsSync(file)).toBe(false);
  expect(await staleFileRepairs(paths)).toEqual([]);
});

test('nothing is touched while a daemon has the lock', async () => {
  const { paths } = await opened();
  const [found] = await staleFileRepairs(paths);
  const lock = await takeLock(paths.lock);
  onTestFinished(() => lock?.release());
  expect(await staleFileRepairs(paths)).toEqual([]);
  await expect(found?.run()).rejects.toThrow('a daemon was started');
  expect(existsSync(paths.daemon)).toBe(true);
});

test('a path in daemon.json is removed only if it is the socket of this home', async () => {
  const { paths, socket } = await opened();
  const other = join(paths.home, 'other.sock');
  await leaveSocket(other);
  const folder = join(paths.home, 'folder', shortSocketName(paths.home));
  mkdirSync(folder, { recursive: true });
  const link = join(paths.home, 'folder', 'link', shortSocketName(paths.home));
  mkdirSync(join(paths.home, 'folder', 'link'));
  symlinkSync(socket, link);
  for (const named of [other, folder, link, 7, null]) {
    writeFileSync(paths.daemon, JSON.stringify({ pid: 1, socket: named }));
    const [repair] = await staleFileRepairs(paths);
    expect(repair?.changes).toEqual([paths.daemon, paths.pid].map(file => `remove ${file}`));
  }
  const [found] = await staleFileRepairs(paths);
  writeFileSync(paths.daemon, JSON.stringify({ pid: 1, socket: folder }));
  await found?.run();
  expect([other, folder, link].every(existsSync)).toBe(true);
});
