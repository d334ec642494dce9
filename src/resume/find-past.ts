/** What the search index gives back, as sessions. */
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Forget } from '../contract/api.ts';
import type { Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import type { Indexer } from './indexer.ts';
import { pastSession } from './past-session.ts';
import { pastOf } from './transcripts.ts';

export interface Found {
  id: string;
  path: string;
  /** The words around what was found. */
  text: string;
  /** What the transcript tells of a session that was never seen live; null when it is gone by now. */
  session: () => Session | null;
}

/** The newest sessions that said this; null while the index is off. */
export const findPast = (indexer: Indexer, words: string): Found[] | null =>
  indexer.find(words, limits.search.results)?.map(({ session: id, path, text }) => ({
    id,
    path,
    text,
    session: () => {
      const folder = dirname(path);
      const [past] = pastOf({ id, path, slug: basename(folder), claudeDir: dirname(dirname(folder)) });
      return past ? pastSession(past) : null;
    },
  })) ?? null;

/** Which transcripts a wish to forget means. */
export const isForgotten =
  ({ id, before, all }: Forget) =>
  (session: string, path: string): boolean =>
    all === true ||
    session === id ||
    (before !== undefined && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < before);
