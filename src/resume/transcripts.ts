/** List the transcripts in the Claude folders: every session that can be resumed. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../claude/slug.ts';
import type { Session } from '../contract/session.ts';
import { isRemote } from '../contract/origin.ts';

export interface Transcript {
  id: string;
  path: string;
  /** Name of its project folder. */
  slug: string;
  claudeDir: string;
}

/** A transcript with its age and size. */
export interface PastTranscript extends Transcript {
  /** Time of the last change, in ms. */
  at: number;
  size: number;
}

const name = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/;

/** List all transcripts, unsorted. Those of subagents have other file names. */
export const listTranscripts = (claudeDirs: string[]): Transcript[] =>
  claudeDirs.flatMap(claudeDir => {
    const projects = join(claudeDir, 'projects');
    return list(projects).flatMap(slug => transcriptsIn(join(projects, slug), { slug, claudeDir }));
  });

/** List the transcripts of one project. */
export const transcriptsIn = (
  folder: string,
  { slug, claudeDir }: Pick<Transcript, 'slug' | 'claudeDir'>,
): Transcript[] =>
  list(folder).flatMap(file => {
    const id = name.exec(file)?.[1];
    return id ? [{ id, path: join(folder, file), slug, claudeDir }] : [];
  });

/** List all past sessions, newest first. */
export const listPast = (claudeDirs: string[]): PastTranscript[] =>
  listTranscripts(claudeDirs).flatMap(statTranscript).sort(newestFirst);

/** Add age and size; empty when the file is gone. */
export const statTranscript = (transcript: Transcript): PastTranscript[] => {
  const stat = statSync(transcript.path, { throwIfNoEntry: false });
  return stat ? [{ ...transcript, at: stat.mtimeMs, size: stat.size }] : [];
};

/** Find the transcript of a session: the path from its hooks, else the expected path; null when there is none. */
export const transcriptOf = (
  session: Pick<Session, 'id' | 'transcript' | 'dir' | 'host' | 'origin'>,
  claudeDirs: string[],
): string | null => {
  const { id, transcript, dir } = session;
  if (isRemote(session)) return null;
  const expected = dir ? claudeDirs.map(claude => join(claude, 'projects', slugOf(dir), `${id}.jsonl`)) : [];
  return [...(transcript ? [transcript] : []), ...expected].find(path => existsSync(path)) ?? null;
};

export const newestFirst = (a: PastTranscript, b: PastTranscript): number => b.at - a.at;

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
