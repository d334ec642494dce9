/** Turn hits of the search index into sessions. */
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Forget } from '../contract/api.ts';
import type { Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import type { Indexer } from './indexer.ts';
import { pastSession } from './past-session.ts';
import { statTranscript } from './transcripts.ts';

export interface Found {
  id: string;
  path: string;
  /** The text around the match. */
  text: string;
  /** Reads the session from its transcript, for one that was never seen live; null when the file is gone. */
  session: () => Session | null;
}

/** Find the newest sessions with this text; null while the index is off. */
export const findPast = (indexer: Indexer, query: string): Found[] | null =>
  indexer.find(query, limits.search.results)?.map(({ session: id, path, text }) => ({
    id,
    path,
    text,
    session: () => {
      const folder = dirname(path);
      const [past] = statTranscript({
        id,
        path,
        slug: basename(folder),
        claudeDir: dirname(dirname(folder)),
      });
      return past ? pastSession(past) : null;
    },
  })) ?? null;

/** Build the predicate for the transcripts that a forget request selects. */
export const isForgotten =
  ({ id, before, all }: Forget) =>
  (session: string, path: string): boolean =>
    all === true ||
    session === id ||
    (before !== undefined && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < before);
