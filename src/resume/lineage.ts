/** Which session came from which by a fork: it copies the lines of the first one, their ids included, into a file of its own. */
import { readSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { readFrom } from '../claude/read-file.ts';
import { firstLineId } from '../claude/transcript.ts';
import { limits } from '../limits.ts';
import { newestFirst, pastOf, siblings, type Transcript } from './transcripts.ts';

export interface Forks {
  /** The session that this one was forked from. */
  from: string | null;
  /** Sessions that were forked from it, newest first. */
  into: string[];
}

/** The relatives of a transcript in its folder, as far as the newest ones of it are looked at. */
export const forksOf = ({ id, path }: Pick<Transcript, 'id' | 'path'>): Forks => {
  const folder = dirname(path);
  const root = rootOf(path);
  if (root === null) return { from: null, into: [] };
  const born = bornAt(path);
  const kin = siblings(folder, { slug: basename(folder), claudeDir: dirname(dirname(folder)) })
    .flatMap(pastOf)
    .sort(newestFirst)
    .slice(0, limits.transcript.forkFiles)
    .filter(other => other.id !== id && rootOf(other.path) === root)
    .map(other => ({ id: other.id, born: bornAt(other.path) }))
    .sort((a, b) => b.born - a.born);
  return {
    from: kin.find(other => other.born < born)?.id ?? null,
    into: kin.filter(other => other.born > born).map(other => other.id),
  };
};

const bornAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0;

/** The first id in a transcript. It mostly stands near the start; behind a long prompt, further on. */
const rootOf = (path: string): string | null =>
  readFrom(path, fd => {
    for (let bytes = limits.transcript.forkHeadBytes; ; bytes *= 8) {
      const piece = Buffer.allocUnsafe(bytes);
      const length = readSync(fd, piece, 0, bytes, 0);
      const root = firstLineId(piece.toString('utf8', 0, length));
      if (root !== null || length < bytes || bytes >= limits.transcript.headBytes) return root;
    }
  });
