/** Lists all transcripts with their sizes: those of sessions, and of the subagents in a folder beside each. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

export interface TranscriptFile {
  path: string;
  /** The session it belongs to, by its name or its folder. */
  sessionId: string;
  size: number;
  /** Time of the last change, ms. */
  changed: number;
  /** When it was created, ms; 0 where the file system does not know. */
  created: number;
}

/** Lists the transcripts of these Claude folders, the most recently changed first. */
export const listFiles = (claudeDirs: string[]): TranscriptFile[] =>
  claudeDirs
    .flatMap(dir => {
      const projects = join(dir, 'projects');
      return entries(projects).flatMap(({ name }) => filesIn(join(projects, name)));
    })
    .sort((a, b) => b.changed - a.changed);

/** Lists the transcripts of one session: its own, and those of its subagents. */
export const filesOf = (path: string): TranscriptFile[] => {
  const sessionId = basename(path, '.jsonl');
  return [...fileAt(path, sessionId), ...walk(path.replace(/\.jsonl$/, ''), sessionId, depth)];
};

/** Folders below a session's own that are searched: `subagents/workflows/<id>`. */
const depth = 3;

const filesIn = (folder: string): TranscriptFile[] =>
  entries(folder).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return walk(path, entry.name, depth);
    return isTranscript(entry) ? fileAt(path, basename(entry.name, '.jsonl')) : [];
  });

const walk = (folder: string, sessionId: string, levels: number): TranscriptFile[] =>
  entries(folder).flatMap(entry => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return levels > 0 ? walk(path, sessionId, levels - 1) : [];
    return isTranscript(entry) ? fileAt(path, sessionId) : [];
  });

const isTranscript = (entry: Dirent): boolean => entry.isFile() && entry.name.endsWith('.jsonl');

const fileAt = (path: string, sessionId: string): TranscriptFile[] => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile()
    ? [{ path, sessionId, size: stat.size, changed: stat.mtimeMs, created: Math.floor(stat.birthtimeMs) }]
    : [];
};

const entries = (folder: string): Dirent[] => {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
};
