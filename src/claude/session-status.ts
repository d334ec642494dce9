/** Reads the session file of one process without a schema library, for commands that must start fast. */
import { join } from 'node:path';
import { limits } from '../limits.ts';
import { readSmall } from './read-file.ts';

export interface SessionStatus {
  sessionId: string | null;
  /** `idle`, `busy`, `waiting` or `shell`; null before the first status. */
  status: string | null;
  waitingFor: string | null;
  /** When the status changed, ms; null when it is not known. */
  changed: number | null;
  version: string | null;
  /** When its process started, as `processStart` returns it. */
  procStart: string | null;
  /** When the session started, ms; null when it is not known. */
  startedAt: number | null;
}

/** Null when there is no file, or it is half written. */
export const readSessionStatus = (claudeDir: string, pid: number): SessionStatus | null => {
  try {
    const file = Object(
      JSON.parse(readSmall(join(claudeDir, 'sessions', `${pid}.json`), limits.watch.sessionFileBytes) ?? ''),
    );
    return {
      sessionId: text(file.sessionId),
      status: text(file.status),
      waitingFor: text(file.waitingFor),
      changed: typeof file.statusUpdatedAt === 'number' ? file.statusUpdatedAt : null,
      version: text(file.version),
      procStart: text(String(file.procStart ?? '')),
      startedAt: typeof file.startedAt === 'number' ? file.startedAt : null,
    };
  } catch {
    return null;
  }
};

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
