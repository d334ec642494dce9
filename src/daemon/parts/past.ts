/** Past sessions: resumed, searched, and which came from which. */
import type { Forget } from '../../contract/api.ts';
import type { Session } from '../../contract/session.ts';
import { findPast, isForgotten } from '../../resume/find-past.ts';
import { Indexer } from '../../resume/indexer.ts';
import { forksOf } from '../../resume/forks.ts';
import { knownProjects } from '../../resume/known-projects.ts';
import type { Starter } from '../../resume/open-session.ts';
import { resumeInPane } from '../../resume/resume-in-pane.ts';
import { transcriptOf, listTranscripts } from '../../resume/transcripts.ts';
import { resumeHandlers } from '../../server/handlers/resume.ts';
import { defaultSocket } from '../../tmux/server/panes.ts';
import type { Core } from '../core.ts';

export interface PastDeps {
  /** Starts a past session as one of the hub's. */
  start: Starter;
}

export const openPast = ({ paths, env, config, loop, clock, dirs, log }: Core, { start }: PastDeps) => {
  const indexer = new Indexer(paths.search, dirs, clock, log.error);
  const resume = (prefix: string, fork: boolean, managed: boolean) => {
    const claudeDirs = dirs();
    const deps = {
      paths,
      env,
      configured: config.claude,
      claudeDirs,
      transcripts: listTranscripts(claudeDirs),
      sessionOf: (id: string) => loop.sessionIndex.get(id),
      socket: (managed ? config.tmuxSocket : null) ?? defaultSocket(env),
    };
    return resumeInPane(deps, prefix, fork, managed ? start : undefined);
  };
  return {
    name: 'past sessions',
    resume,
    hasTranscript: (session: Session) => transcriptOf(session, dirs()) !== null,
    lineage: {
      forks: (session: Session) => {
        const path = transcriptOf(session, dirs());
        return path ? forksOf({ id: session.id, path }) : { from: null, into: [] };
      },
      find: (words: string) => findPast(indexer, words),
    },
    handlers: resumeHandlers({
      resume,
      wasManaged: prefix => {
        const [session] = loop.sessionIndex.named(prefix);
        return session?.parked ? session.managed : null;
      },
      projects: () => knownProjects(loop.sessionIndex.all(), dirs()),
      index: () => indexer.status(),
      setIndex: async on => {
        if (on) await indexer.turnOn();
        else indexer.turnOff();
        return indexer.status();
      },
    }),
    forget: (wanted: Forget) => indexer.forget(isForgotten(wanted)),
    // Indexing waits until nothing happens.
    onCommit: () => indexer.postpone(),
    prepare: () => indexer.start(),
    close: () => indexer.close(),
  };
};

export type Past = ReturnType<typeof openPast>;
