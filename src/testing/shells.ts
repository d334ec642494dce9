/** The shells that may be `sh` on a user's machine, each called by that name, as it is there. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Each shell, with the programs that are it. */
export const shells: [name: string, programs: string[]][] = [
  ['dash', ['dash']],
  ['bash in POSIX mode', ['bash']],
  ['busybox ash', ['busybox']],
  ['zsh in sh mode', ['zsh']],
  ['ksh', ['ksh', 'ksh93', 'mksh']],
];

/** Return the path of the first that is installed; null for none. */
export const installed = (programs: string[]): string | null => {
  const search = programs.map(name => `command -v ${name}`).join(' || ');
  try {
    return execFileSync('/bin/sh', ['-c', search], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
};

/** Make a link called `sh`, for one test: all of these shells go by the name that they are called by. */
export const asSh = (program: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'dv-sh-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const link = join(folder, 'sh');
  symlinkSync(program, link);
  return link;
};
