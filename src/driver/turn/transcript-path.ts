/** Where the transcript of a run's own session is: as a payload says, else worked out from id and folder. Never a guess. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../../claude/slug.ts';

export interface Whose {
  sessionId: string | null;
  transcript: string | null;
  cwd: string | null;
}

export const transcriptFile = (claudeDir: string, cwd: string, whose: Whose): string | null => {
  if (whose.transcript) return whose.transcript;
  if (!whose.sessionId) return null;
  return join(projectFolder(claudeDir, whose.cwd ?? cwd), `${whose.sessionId}.jsonl`);
};

/** How long the transcripts are that a resumed session may go on with, by path: what stands there is an earlier run's. */
export const transcriptSizes = (claudeDir: string, cwd: string): Map<string, number> => {
  const folder = projectFolder(claudeDir, cwd);
  return new Map(
    names(folder)
      .filter(name => name.endsWith('.jsonl'))
      .map(name => join(folder, name))
      .map(path => [path, statSync(path, { throwIfNoEntry: false })?.size ?? 0]),
  );
};

const projectFolder = (claudeDir: string, cwd: string): string => join(claudeDir, 'projects', slugOf(cwd));

const names = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
