/** What is watched beside the hooks, put together: Claude's files, panes, processes, transcripts, and the time that passes. */
import { systemClock as clock } from '../clock.ts';
import { DroverError } from '../contract/error.ts';
import type { Draft, Event } from '../contract/event.ts';
import type { Receive } from '../hook/receive.ts';
import type { Loop } from '../live/loop.ts';
import { Settle } from '../live/settle.ts';
import type { Env } from '../paths.ts';
import type { Folded } from '../session/memory.ts';
import type { TmuxPane } from '../tmux/server/panes.ts';
import { Outlived } from '../watch/outlived.ts';
import { Panes } from '../watch/panes.ts';
import { SessionFiles } from '../watch/session-files.ts';
import { Sweep } from '../watch/sweep.ts';
import { Transcripts } from '../watch/transcripts.ts';
import type { DaemonLog } from './log.ts';

export interface SourceGround {
  env: Env;
  loop: Loop;
  log: DaemonLog;
  receive: Receive;
  dirs: () => string[];
  take: (drafts: Draft[]) => void;
  /** Told every tmux server that answers, with its panes. */
  seen: (socket: string, panes: TmuxPane[]) => void;
}

export interface Sources {
  /** Takes in what the sources have said of these sessions until now. */
  catchUp: (ids: string[]) => Promise<void>;
  /** Called for each session that an event changed. */
  hear: (event: Event, before: Folded | undefined, after: Folded) => void;
  start: () => void;
  close: () => void;
}

export const openSources = ({ env, loop, log, receive, dirs, take, seen }: SourceGround): Sources => {
  const live = () => loop.sessionIndex.live();
  const get = (id: string) => loop.sessionIndex.get(id);
  const files = new SessionFiles(dirs, take, log.error);
  const panes = new Panes(env, live, dirs, take, log.error, seen);
  const sweep = new Sweep(live, dirs, () => receive.scan(), take, clock, log.error);
  const transcripts = new Transcripts(dirs, get, take);
  const outlived = new Outlived(get, take, clock);
  const catchUp = async (ids: string[]) => {
    const sessions = () => ids.flatMap(id => get(id) ?? []);
    files.read(sessions().flatMap(({ pid }) => pid ?? []));
    await receive.scan();
    loop.turn();
    transcripts.read(sessions());
    loop.turn();
  };
  /** No time has passed for a session while something that was said of it waits for the store. */
  const catchUpWhole = async (ids: string[]) => {
    await catchUp(ids);
    if (receive.failing || loop.pending > 0) throw new DroverError('store_failed');
  };
  const settle = new Settle(loop, clock, catchUpWhole, log.error);
  return {
    catchUp,
    hear: (event, before, after) => {
      transcripts.hear(event, after);
      outlived.hear(before, after);
    },
    start: () => {
      for (const part of [settle, files, sweep, panes]) part.start();
    },
    close: () => {
      for (const part of [settle, files, sweep, panes, outlived]) part.close();
    },
  };
};
