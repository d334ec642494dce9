/** What Claude's session file says of one process, read without a schema: for whoever must start fast. */
import { join } from 'node:path';
import { limits } from '../limits.ts';
import { readSmall } from './read-file.ts';

export interface SessionStatus {
  sessionId: string | null;
  /** `idle`, `busy`, `waiting`, `shell`; null before the first. */
  status: string | null;
  waitingFor: string | null;
  /** When the status changed, ms; null when it does not say. */
  changed: number | null;
  version: string | null;
  /** When its process started, as `processStart` tells it. */
  procStart: string | null;
}

/** Null when there is no file, or half of one. */
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
    };
  } catch {
    return null;
  }
};

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
