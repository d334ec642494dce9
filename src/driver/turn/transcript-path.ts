/** Finds the transcript of a session: the path that a hook named, else the place where Claude Code would put it. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../../claude/slug.ts';
import type { HookPayload } from './hook-payload.ts';

/** Null when the payload names neither a transcript nor a session. */
export const transcriptPath = (
  claudeDir: string,
  cwd: string,
  payload: Pick<HookPayload, 'sessionId' | 'transcript' | 'cwd'>,
): string | null => {
  if (payload.transcript) return payload.transcript;
  if (!payload.sessionId) return null;
  return join(projectFolder(claudeDir, payload.cwd ?? cwd), `${payload.sessionId}.jsonl`);
};

/** Sizes of a folder's transcripts, by path. A resumed session appends to one of them: what it holds now is older. */
export const transcriptSizes = (claudeDir: string, cwd: string): Map<string, number> => {
  const folder = projectFolder(claudeDir, cwd);
  return new Map(
    namesIn(folder)
      .filter(name => name.endsWith('.jsonl'))
      .map(name => join(folder, name))
      .map(path => [path, statSync(path, { throwIfNoEntry: false })?.size ?? 0]),
  );
};

const projectFolder = (claudeDir: string, cwd: string): string => join(claudeDir, 'projects', slugOf(cwd));

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
