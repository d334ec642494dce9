/** What a look at both ends of a transcript tells, without reading the rest of it. */
import { fstatSync, readSync } from 'node:fs';
import { readFrom } from '../claude/read-file.ts';
import { slugOf } from '../claude/slug.ts';
import { answerOf, promptOf, type TranscriptLine, titleOf, transcriptLines } from '../claude/transcript.ts';
import { limits } from '../limits.ts';
import type { Transcript } from './transcripts.ts';

export interface Glance {
  /** Where it was started. */
  dir: string | null;
  branch: string | null;
  title: string | null;
  prompt: string | null;
  last: string | null;
}

/** A careful look: for the one session that is to be resumed. */
export const look = (transcript: Pick<Transcript, 'path' | 'slug'>): Glance =>
  glance(transcript, limits.transcript.headBytes, limits.transcript.tailBytes);

export const glance = (
  { path, slug }: Pick<Transcript, 'path' | 'slug'>,
  headBytes: number = limits.transcript.listHeadBytes,
  tailBytes: number = limits.transcript.listTailBytes,
): Glance => {
  const { head, tail } = ends(path, headBytes, tailBytes);
  const all = [...head, ...tail];
  return {
    dir: startOf(all, slug),
    branch: branchOf(all),
    title: titleOf(all),
    prompt: first(head, promptOf),
    last: first(tail.toReversed(), line => answerOf(line) ?? promptOf(line)),
  };
};

/**
 * The first directory of a transcript. A fork that was made in another directory begins with lines of the first one, so a
 * directory that leads to this very folder goes before it.
 */
const startOf = (lines: TranscriptLine[], slug: string): string | null => {
  const dirs = lines.flatMap(({ cwd }) => (cwd?.startsWith('/') ? [cwd] : []));
  return dirs.find(dir => slugOf(dir) === slug) ?? dirs[0] ?? null;
};

/** `HEAD` is what Claude Code writes outside a repository. */
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
    const head = transcriptLines(piece(fd, 0, Math.min(size, headBytes)), true);
    if (size <= headBytes) return { head, tail: head };
    return { head, tail: transcriptLines(piece(fd, size - tailBytes, tailBytes), false) };
  }) ?? { head: [], tail: [] };

const piece = (fd: number, from: number, length: number): string => {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.toString('utf8', 0, readSync(fd, bytes, 0, length, Math.max(0, from)));
};
