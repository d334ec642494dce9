/** Past sessions as the door serves them: taken up again, searched, and which came from which. */
import type { Config } from '../contract/config.ts';
import type { Session } from '../contract/session.ts';
import type { Env, Paths } from '../paths.ts';
import { findPast } from '../resume/find-past.ts';
import type { Indexer } from '../resume/indexer.ts';
import { forksOf } from '../resume/lineage.ts';
import { resumeInPane } from '../resume/remote.ts';
import { fileOf, listTranscripts } from '../resume/transcripts.ts';

export interface PastGround {
  paths: Paths;
  env: Env;
  config: Config;
  dirs: () => string[];
  indexer: Indexer;
  sessionOf: (id: string) => Session | undefined;
}

export const pastParts = ({ paths, env, config, dirs, indexer, sessionOf }: PastGround) => ({
  lineage: {
    forks: (session: Session) => {
      const path = fileOf(session, dirs());
      return path ? forksOf({ id: session.id, path }) : { from: null, into: [] };
    },
    find: (words: string) => findPast(indexer, words),
  },
  again: {
    resume: (prefix: string, fork: boolean) => {
      const claudeDirs = dirs();
      const transcripts = listTranscripts(claudeDirs);
      const ground = { paths, env, configured: config.claude, claudeDirs, transcripts };
      return resumeInPane(ground, prefix, fork, sessionOf);
    },
    index: () => indexer.status(),
    setIndex: async (on: boolean) => {
      if (on) await indexer.turnOn();
      else indexer.turnOff();
      return indexer.status();
    },
  },
});
