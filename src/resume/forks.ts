/** Find forks. A fork copies the lines of the original session, including their ids, into its own transcript. */
import { readSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { readFrom } from '../claude/read-file.ts';
import { firstLineId } from '../claude/transcript.ts';
import { limits } from '../limits.ts';
import { newestFirst, statTranscript, transcriptsIn, type Transcript } from './transcripts.ts';

export interface Forks {
  /** The session that this one was forked from. */
  from: string | null;
  /** Sessions forked from this one, newest first. */
  into: string[];
}

/** Find the forks of a transcript among the newest files of its folder. */
export const forksOf = ({ id, path }: Pick<Transcript, 'id' | 'path'>): Forks => {
  const folder = dirname(path);
  const root = firstIdOf(path);
  if (root === null) return { from: null, into: [] };
  const created = createdAt(path);
  const related = transcriptsIn(folder, { slug: basename(folder), claudeDir: dirname(dirname(folder)) })
    .flatMap(statTranscript)
    .sort(newestFirst)
    .slice(0, limits.transcript.forkFiles)
    .filter(other => other.id !== id && firstIdOf(other.path) === root)
    .map(other => ({ id: other.id, created: createdAt(other.path) }))
    .sort((a, b) => b.created - a.created);
  return {
    from: related.find(other => other.created < created)?.id ?? null,
    into: related.filter(other => other.created > created).map(other => other.id),
  };
};

const createdAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0;

/** Read the first line id of a transcript. It is near the start, unless a long prompt precedes it. */
const firstIdOf = (path: string): string | null =>
  readFrom(path, fd => {
    for (let bytes = limits.transcript.forkHeadBytes; ; bytes *= 8) {
      const chunk = Buffer.allocUnsafe(bytes);
      const length = readSync(fd, chunk, 0, bytes, 0);
      const id = firstLineId(chunk.toString('utf8', 0, length));
      if (id !== null || length < bytes || bytes >= limits.transcript.headBytes) return id;
    }
  });
