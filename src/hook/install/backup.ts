/** Keeps a bounded number of private backups of changed files. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Paths } from '../../paths.ts';

/** Backups kept per file. */
export const backupsPerFile = 10;

/** Saves a backup and deletes the oldest ones beyond the limit. */
export const backUp = (paths: Paths, file: string, text: string, now = new Date()): string => {
  mkdirSync(paths.backups, { recursive: true, mode: 0o700 });
  const stem = `${basename(file)}.${createHash('sha256').update(file).digest('hex').slice(0, 8)}.`;
  const mine = () =>
    readdirSync(paths.backups)
      .filter(name => name.startsWith(stem))
      .sort();
  const last =
    Number(
      mine()
        .at(-1)
        ?.slice(stem.length, stem.length + 6) ?? 0,
    ) || 0;
  const number = String(last + 1).padStart(6, '0');
  const copy = join(paths.backups, `${stem}${number}.${now.toISOString().replace(/[:.]/g, '-')}`);
  writeFileSync(copy, text, { mode: 0o600, flag: 'wx' });
  for (const old of mine().slice(0, -backupsPerFile)) rmSync(join(paths.backups, old), { force: true });
  return copy;
};
