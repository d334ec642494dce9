/** A socket outside DROVER_HOME is only where nobody else can reach it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { limits } from '../limits.ts';
import { shortSocket } from './short-socket.ts';

const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'dv-ss-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
};

test('the socket is in a private folder, and each home has its own', () => {
  const TMPDIR = folder();
  const [one, again, other] = ['/a', '/a', '/b'].map(home => shortSocket(home, { TMPDIR }));
  expect(one).toBe(again);
  expect(one).not.toBe(other);
  expect(dirname(one ?? '')).toBe(join(TMPDIR, `drover-${process.getuid?.() ?? 0}`));
  expect(statSync(dirname(one ?? '')).mode & 0o777).toBe(0o700);
  expect(Buffer.byteLength(one ?? '')).toBeLessThanOrEqual(limits.http.socketPath);
});

test('the runtime folder of the user comes first; a folder that is open to others, a link or too deep is skipped', () => {
  const [XDG_RUNTIME_DIR, TMPDIR] = [folder(), folder()];
  expect(shortSocket('/a', { XDG_RUNTIME_DIR, TMPDIR })).toMatch(`${XDG_RUNTIME_DIR}/drover/`);
  chmodSync(join(XDG_RUNTIME_DIR, 'drover'), 0o755);
  expect(shortSocket('/a', { XDG_RUNTIME_DIR, TMPDIR })).toMatch(TMPDIR);
  const linked = folder();
  symlinkSync(TMPDIR, join(linked, 'drover'));
  expect(shortSocket('/a', { XDG_RUNTIME_DIR: linked, TMPDIR })).toMatch(TMPDIR);
  const deep = join(folder(), 'd'.repeat(100));
  mkdirSync(deep);
  expect(shortSocket('/a', { XDG_RUNTIME_DIR: deep, TMPDIR })).toMatch(TMPDIR);
});
