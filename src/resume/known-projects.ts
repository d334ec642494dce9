/** List the directories that sessions were started in: those that Drover knows, and those of older transcripts. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { slugOf } from '../claude/slug.ts';
import type { Project } from '../contract/api.ts';
import { isRemote } from '../contract/origin.ts';
import type { Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { briefSummary } from './transcript-summary.ts';
import { newestFirst, statTranscript, transcriptsIn } from './transcripts.ts';

type Known = Pick<Session, 'dir' | 'touched' | 'host' | 'origin' | 'headless'>;

/** Directories that still exist, most recently used first. */
export const knownProjects = (sessions: Known[], claudeDirs: string[]): Project[] => {
  const found = new Map<string, number>();
  const add = (dir: string, at: number) => found.set(dir, Math.max(at, found.get(dir) ?? 0));
  for (const session of sessions)
    if (session.dir !== null && !session.headless && !isRemote(session)) add(session.dir, session.touched);
  const known = new Set([...found.keys()].map(slugOf));
  for (const { dir, at } of pastProjects(claudeDirs, known)) add(dir, at);
  return [...found]
    .map(([dir, at]) => ({ dir, project: basename(dir), at: Math.round(at) }))
    .sort((a, b) => b.at - a.at)
    .filter(({ dir }) => isFolder(dir))
    .slice(0, limits.projects.listed);
};

/** Reads the newest transcript of each project folder, newest folders first. Folders in `known` are left out. */
const pastProjects = (claudeDirs: string[], known: Set<string>): { dir: string; at: number }[] =>
  claudeDirs
    .flatMap(claudeDir => foldersOf(claudeDir))
    .filter(({ slug }) => !known.has(slug))
    .sort((a, b) => b.at - a.at)
    .slice(0, limits.projects.read)
    .flatMap(({ path, slug, claudeDir }) => {
      const newest = transcriptsIn(path, { slug, claudeDir }).flatMap(statTranscript).sort(newestFirst)[0];
      const dir = newest && briefSummary(newest).dir;
      return newest && dir ? [{ dir, at: newest.at }] : [];
    });

const foldersOf = (claudeDir: string) => {
  const projects = join(claudeDir, 'projects');
  return namesIn(projects).flatMap(slug => {
    const path = join(projects, slug);
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isDirectory() ? [{ path, slug, claudeDir, at: stat.mtimeMs }] : [];
  });
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
