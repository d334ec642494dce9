/** Where the transcript of a run's own session is: as a payload says, else worked out from id and folder. Never a guess. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../claude/slug.ts';

export interface Whose {
  sessionId: string | null;
  transcript: string | null;
  cwd: string | null;
}

export const transcriptFile = (claudeDir: string, cwd: string, whose: Whose): string | null => {
  if (whose.transcript) return whose.transcript;
  if (!whose.sessionId) return null;
  const slug = slugOf(whose.cwd ?? cwd);
  const name = `${whose.sessionId}.jsonl`;
  if (slug) return join(claudeDir, 'projects', slug, name);
  // A long folder's name ends in a hash; the id is still one of a kind.
  return (
    projects(claudeDir)
      .map(folder => join(folder, name))
      .find(existsSync) ?? null
  );
};

/** How long the transcripts are that a resumed session may go on with, by path: what stands there is an earlier run's. */
export const transcriptSizes = (claudeDir: string, cwd: string): Map<string, number> => {
  const slug = slugOf(cwd);
  const folders = slug ? [join(claudeDir, 'projects', slug)] : projects(claudeDir);
  return new Map(
    folders.flatMap(folder =>
      names(folder)
        .filter(name => name.endsWith('.jsonl'))
        .map(name => [
          join(folder, name),
          statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
        ]),
    ),
  );
};

const projects = (claudeDir: string): string[] =>
  names(join(claudeDir, 'projects')).map(name => join(claudeDir, 'projects', name));

const names = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
