/** What is watched besides the hooks: Claude's files and settings, panes, processes, transcripts, and time. */
import { DroverError } from '../../contract/error.ts';
import type { SpoolReceiver } from '../../hook/receive.ts';
import { Branches } from '../../watch/branches.ts';
import { Deadlines } from '../../watch/deadlines.ts';
import { learnedWindows } from '../../hook/learned-windows.ts';
import { Outlived } from '../../watch/outlived.ts';
import { Panes } from '../../watch/panes.ts';
import { SessionFiles } from '../../watch/session-files.ts';
import { Sweep } from '../../watch/sweep.ts';
import { TranscriptProgress } from '../../watch/transcript-progress.ts';
import { Transcripts } from '../../watch/transcripts.ts';
import { approversDraft } from '../approvers.ts';
import type { Core } from '../core.ts';
import type { View } from '../../live/loop.ts';
import type { Part } from '../part.ts';
import type { TmuxPane } from '../../tmux/server/panes.ts';
import type { TmuxPart } from './tmux.ts';

export interface SourceDeps {
  receive: SpoolReceiver;
  /** Called with the panes of each tmux server that answers. */
  seen: TmuxPart['seen'];
}

export interface Sources extends Part, View {
  handlers?: never;
  /** Commits what the sources have reported about these sessions so far. */
  catchUp: (ids: string[]) => Promise<void>;
}

export const openSources = (core: Core, { receive, seen }: SourceDeps): Sources => {
  const { env, loop, clock, log, dirs, record, hostServer } = core;
  const live = () => loop.sessionIndex.live();
  const get = (id: string) => loop.sessionIndex.get(id);
  const files = new SessionFiles(dirs, record, clock, log.error);
  const panes = new Panes(env, live, dirs, record, clock, log.error, {
    seen: (socket, found) => {
      hostServer.onSeen(socket, (found[0] as TmuxPane).serverPid);
      seen(socket, found);
    },
    isForeign: (socket, serverPid) => hostServer.isKnownForeign(socket, serverPid),
    payloadAt: seq => loop.payloadAt(seq),
    sockets: core.config.tmuxSocket === undefined ? [] : [core.config.tmuxSocket],
  });
  const sweep = new Sweep(live, dirs, () => receive.scan(), record, clock, log.error);
  const transcripts = new Transcripts(dirs, get, record, clock, learnedWindows(core.store.facts).find);
  const progress = new TranscriptProgress(live, record, clock);
  const branches = new Branches(get, record, clock);
  const deadlines = new Deadlines(get, record, clock, log.error);
  const outlived = new Outlived(get, record, clock);
  const catchUp = async (ids: string[]) => {
    const sessions = () => ids.flatMap(id => get(id) ?? []);
    files.read(sessions().flatMap(({ pid }) => pid ?? []));
    await receive.scan();
    loop.flush();
    transcripts.read(sessions());
    loop.flush();
  };
  /** No time has passed for a session while an event of it waits for the store. */
  const catchUpWhole = async (ids: string[]) => {
    await catchUp(ids);
    if (receive.failing || loop.pending > 0) throw new DroverError('store_failed');
  };
  let stopConfirming = () => {};
  return {
    name: 'sources',
    catchUp,
    onCommit: commit => {
      for (const { before, after } of commit.changed) {
        transcripts.onEvent(commit.event, after);
        branches.onEvent(commit.event, after);
        outlived.onChange(before, after);
        deadlines.onChange(before, after);
      }
      const approvers = approversDraft(commit, env, clock);
      if (approvers) record([approvers]);
    },
    start: () => {
      stopConfirming = loop.startConfirming(catchUpWhole);
      for (const part of [files, sweep, panes, progress]) part.start();
    },
    close: () => {
      stopConfirming();
      for (const part of [files, sweep, panes, progress, transcripts, outlived, branches, deadlines])
        part.close();
    },
  };
};
