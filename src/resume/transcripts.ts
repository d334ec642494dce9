/** Every session that can be resumed: the transcripts below the Claude folders, by their names alone. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../claude/slug.ts';
import type { Session } from '../contract/session.ts';
import { isElsewhere } from '../contract/origin.ts';

export interface Transcript {
  id: string;
  path: string;
  /** The name of its project's folder. */
  slug: string;
  claudeDir: string;
}

/** A transcript with what the disk knows of it. */
export interface Past extends Transcript {
  /** Last change, ms. */
  at: number;
  size: number;
}

const name = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/;

/** All transcripts, in no order. Those of subagents have other names. */
export const listTranscripts = (claudeDirs: string[]): Transcript[] =>
  claudeDirs.flatMap(claudeDir => {
    const projects = join(claudeDir, 'projects');
    return list(projects).flatMap(slug => siblings(join(projects, slug), { slug, claudeDir }));
  });

/** The transcripts of one project. */
export const siblings = (
  folder: string,
  { slug, claudeDir }: Pick<Transcript, 'slug' | 'claudeDir'>,
): Transcript[] =>
  list(folder).flatMap(file => {
    const id = name.exec(file)?.[1];
    return id ? [{ id, path: join(folder, file), slug, claudeDir }] : [];
  });

/** All past sessions, newest first. */
export const listPast = (claudeDirs: string[]): Past[] =>
  listTranscripts(claudeDirs).flatMap(pastOf).sort(newestFirst);

/** With age and size; nothing when the file is gone again. */
export const pastOf = (transcript: Transcript): Past[] => {
  const stat = statSync(transcript.path, { throwIfNoEntry: false });
  return stat ? [{ ...transcript, at: stat.mtimeMs, size: stat.size }] : [];
};

/** The file of a session: where its hooks said, else where it must be; null when there is none. */
export const fileOf = (
  session: Pick<Session, 'id' | 'transcript' | 'dir' | 'host' | 'origin'>,
  claudeDirs: string[],
): string | null => {
  const { id, transcript, dir } = session;
  if (isElsewhere(session)) return null;
  const places = dir ? claudeDirs.map(claude => join(claude, 'projects', slugOf(dir), `${id}.jsonl`)) : [];
  return [...(transcript ? [transcript] : []), ...places].find(path => existsSync(path)) ?? null;
};

export const newestFirst = (a: Past, b: Past): number => b.at - a.at;

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
