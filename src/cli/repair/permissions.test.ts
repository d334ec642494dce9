import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pathsAt } from '../../paths.ts';
import { filesOpenToOthers, permissionRepairs } from './permissions.ts';

test('what others can read is named and closed, and nothing else is touched', () => {
  const dir = mkdtempSync(join(tmpdir(), 'dv-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const paths = pathsAt(join(dir, 'home'));
  mkdirSync(paths.home);
  chmodSync(paths.home, 0o755);
  for (const [file, mode] of [
    [paths.config, 0o640],
    [paths.token, 0o644],
    [paths.db, 0o600],
    [paths.pages, 0o400],
  ] as const) {
    writeFileSync(file, '');
    chmodSync(file, mode);
  }
  mkdirSync(paths.spool);
  chmodSync(paths.spool, 0o755);
  writeFileSync(paths.emit, '');
  chmodSync(paths.emit, 0o755);
  writeFileSync(`${paths.db}-wal`, '');
  chmodSync(`${paths.db}-wal`, 0o644);
  const elsewhere = join(dir, 'elsewhere');
  writeFileSync(elsewhere, '');
  chmodSync(elsewhere, 0o644);
  symlinkSync(elsewhere, join(paths.home, 'link'));
  expect(filesOpenToOthers(paths)).toEqual([paths.home, paths.config, paths.token, `${paths.db}-wal`]);
  const [repair] = permissionRepairs(paths);
  expect(repair?.changes).toEqual([
    `chmod 0700 ${paths.home} (now 0755)`,
    `chmod 0600 ${paths.config} (now 0640)`,
    `chmod 0600 ${paths.token} (now 0644)`,
    `chmod 0600 ${paths.pages} (now 0400)`,
    `chmod 0600 ${paths.db}-wal (now 0644)`,
    `chmod 0700 ${paths.emit} (now 0755)`,
    `chmod 0700 ${paths.spool} (now 0755)`,
  ]);
  repair?.run();
  expect([paths.home, paths.token].map(file => statSync(file).mode & 0o777)).toEqual([0o700, 0o600]);
  expect(statSync(elsewhere).mode & 0o777).toBe(0o644);
  expect(permissionRepairs(paths)).toEqual([]);
});
