/** Summarise a transcript from its beginning and its end, without reading the middle. */
import { fstatSync, readSync } from 'node:fs';
import { readFrom } from '../claude/read-file.ts';
import { slugOf } from '../claude/slug.ts';
import { answerOf, promptOf, type TranscriptLine, titleOf, transcriptLines } from '../claude/transcript.ts';
import { limits } from '../limits.ts';
import type { Transcript } from './transcripts.ts';

export interface TranscriptSummary {
  /** Directory of the first start. */
  dir: string | null;
  branch: string | null;
  title: string | null;
  prompt: string | null;
  last: string | null;
}

/** Read more of the file, for the one session that is to be resumed. */
export const fullSummary = (transcript: Pick<Transcript, 'path' | 'slug'>): TranscriptSummary =>
  briefSummary(transcript, limits.transcript.headBytes, limits.transcript.tailBytes);

/** Read little of the file, for lists of many sessions. */
export const briefSummary = (
  { path, slug }: Pick<Transcript, 'path' | 'slug'>,
  headBytes: number = limits.transcript.listHeadBytes,
  tailBytes: number = limits.transcript.listTailBytes,
): TranscriptSummary => {
  const { head, tail } = ends(path, headBytes, tailBytes);
  // From 2.1.328 on an answer may be followed by a copy of the system prompt.
  const { tailBytes: longer } = limits.transcript;
  if (tailBytes < longer && !tail.some(hasText)) return briefSummary({ path, slug }, headBytes, longer);
  const all = [...head, ...tail];
  return {
    dir: dirOf(all, slug),
    branch: branchOf(all),
    title: titleOf(all),
    prompt: first(head, promptOf),
    last: first(tail.toReversed(), messageOf),
  };
};

const messageOf = (line: TranscriptLine): string | null => answerOf(line) ?? promptOf(line);

const hasText = (line: TranscriptLine): boolean => messageOf(line) !== null;

/**
 * Find the first directory of a transcript. A fork made in another directory begins with lines of the original, so a
 * directory that matches the transcript's own folder wins.
 */
const dirOf = (lines: TranscriptLine[], slug: string): string | null => {
  const dirs = lines.flatMap(({ cwd }) => (cwd?.startsWith('/') ? [cwd] : []));
  return dirs.find(dir => slugOf(dir) === slug) ?? dirs[0] ?? null;
};

/** Find the last branch. Claude Code writes `HEAD` outside a repository. */
const branchOf = (lines: TranscriptLine[]): string | null => {
  const branch = lines.findLast(line => line.gitBranch)?.gitBranch;
  return branch && branch !== 'HEAD' ? branch : null;
};

const first = (lines: TranscriptLine[], of: (line: TranscriptLine) => string | null): string | null => {
  for (const line of lines) {
    const text = of(line);
    if (text) return text.slice(0, limits.transcript.listText);
  }
  return null;
};

const ends = (
  path: string,
  headBytes: number,
  tailBytes: number,
): { head: TranscriptLine[]; tail: TranscriptLine[] } =>
  readFrom(path, fd => {
    const { size } = fstatSync(fd);
    const head = transcriptLines(readText(fd, 0, Math.min(size, headBytes)), true);
    if (size <= headBytes) return { head, tail: head };
    return { head, tail: transcriptLines(readText(fd, size - tailBytes, tailBytes), size <= tailBytes) };
  }) ?? { head: [], tail: [] };

const readText = (fd: number, from: number, length: number): string => {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.toString('utf8', 0, readSync(fd, bytes, 0, length, Math.max(0, from)));
};
