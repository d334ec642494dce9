/** Past sessions as the door serves them: taken up again, searched, and which came from which. */
import type { Config } from '../contract/config.ts';
import type { Session } from '../contract/session.ts';
import type { Env, Paths } from '../paths.ts';
import { findPast } from '../resume/find-past.ts';
import type { Indexer } from '../resume/indexer.ts';
import { forksOf } from '../resume/lineage.ts';
import type { Starter } from '../resume/open.ts';
import { resumeInPane } from '../resume/remote.ts';
import { fileOf, listTranscripts } from '../resume/transcripts.ts';
import { defaultSocket } from '../tmux/server/panes.ts';

export interface PastGround {
  paths: Paths;
  env: Env;
  config: Config;
  dirs: () => string[];
  indexer: Indexer;
  sessionOf: (id: string) => Session | undefined;
  /** Starts a past session as one of the hub's. */
  start: Starter;
}

export const pastParts = ({ paths, env, config, dirs, indexer, sessionOf, start }: PastGround) => ({
  lineage: {
    forks: (session: Session) => {
      const path = fileOf(session, dirs());
      return path ? forksOf({ id: session.id, path }) : { from: null, into: [] };
    },
    find: (words: string) => findPast(indexer, words),
  },
  again: {
    resume: (prefix: string, fork: boolean, managed: boolean) => {
      const claudeDirs = dirs();
      const transcripts = listTranscripts(claudeDirs);
      const socket = (managed ? config.tmuxSocket : null) ?? defaultSocket(env);
      const deps = { paths, env, configured: config.claude, claudeDirs, transcripts, sessionOf, socket };
      return resumeInPane(deps, prefix, fork, managed ? start : undefined);
    },
    index: () => indexer.status(),
    setIndex: async (on: boolean) => {
      if (on) await indexer.turnOn();
      else indexer.turnOff();
      return indexer.status();
    },
  },
});
