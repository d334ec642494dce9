/** Makes a git repository in a temporary folder, with real git and nobody's config. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface Repository {
  dir: string;
  /** Runs git as its owner does, with everything that its config names. */
  git: (...args: string[]) => string;
  /** Writes a file. */
  write: (name: string, text: string) => void;
}

export const tempFolder = (): string => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'du-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
};

/** One commit on `main`, with a file `a.txt`. */
export const repository = (dir = tempFolder()): Repository => {
  const env = {
    PATH: process.env.PATH,
    HOME: dir,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: dir, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const write = (name: string, text: string) => writeFileSync(join(dir, name), text);
  git('init', '-q', '-b', 'main');
  write('a.txt', 'one\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  return { dir, git, write };
};
