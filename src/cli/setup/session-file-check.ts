/** Checks Claude's session files for `drover doctor`: a time that cannot be means that their state cannot be trusted. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSmall } from '../../claude/read-file.ts';
import { parseSessionFile, sessionFilePid } from '../../claude/session-file.ts';
import { limits } from '../../limits.ts';
import type { Check } from '../output/print-checks.ts';

/** Before the first release of Claude Code. */
const earliest = Date.UTC(2025, 0, 1);
/** The clock may have been set back a little since. */
const tolerance = 60_000;

export const checkSessionFiles = (claudeDirs: string[], now: number): Check => {
  const wrong = claudeDirs.flatMap(dir => impossible(join(dir, 'sessions'), now));
  return {
    name: 'session files',
    ok: wrong.length === 0,
    says: wrong.length > 0 ? wrong.join('; ') : 'their times are possible',
    fix: 'check the clock (`date`), then end and resume those sessions; Drover uses the time of arrival instead',
  };
};

const impossible = (folder: string, now: number): string[] =>
  filesIn(folder).flatMap(name => {
    const path = join(folder, name);
    const file = parseSessionFile(readSmall(path, limits.watch.sessionFileBytes) ?? '');
    if (!file) return [];
    const times = { startedAt: file.startedAt, statusUpdatedAt: file.statusUpdatedAt };
    return Object.entries(times).flatMap(([field, at]) =>
      at === undefined || (at >= earliest && at <= now + tolerance)
        ? []
        : `${path}: ${field} is ${timeText(at)}`,
    );
  });

const timeText = (at: number): string =>
  Number.isFinite(at) && Math.abs(at) < 8.64e15 ? new Date(at).toISOString() : String(at);

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder).filter(name => sessionFilePid(name) !== null);
  } catch {
    return [];
  }
};
