/** The hub's own parts, put together: sessions started, messages, held requests, stops. */
import { systemClock as clock } from '../clock.ts';
import { findClis } from '../claude/find-cli.ts';
import { Asks } from '../hub/request/ask.ts';
import { Commands } from '../hub/menu/commands.ts';
import { Sessions } from '../hub/start/create.ts';
import type { DrivePolicy } from '../hub/drive-policy.ts';
import { setDriven } from '../hub/set-driven.ts';
import { holdProjects } from '../hub/request/held-projects.ts';
import { Holds } from '../hub/request/holds.ts';
import { pruneLaunches } from '../hub/start/launch.ts';
import { keepMarkers } from '../hub/request/markers.ts';
import { Menus } from '../hub/menu/menu.ts';
import { Messages } from '../hub/message/messages.ts';
import { untilReady } from '../hub/start/ready.ts';
import { Receipts } from '../hub/message/receipts.ts';
import { Hands } from '../hub/start/stop.ts';
import { Tidy } from '../hub/start/tidy.ts';
import type { Hub as HandledHub } from '../server/handlers/hub.ts';
import type { MenuParts } from '../server/handlers/menu.ts';
import type { Folded } from '../session/memory.ts';
import { defaultSocket } from '../tmux/server/panes.ts';
import type { DaemonDeps } from './deps.ts';

export interface HubGround extends DaemonDeps {
  dirs: () => string[];
  /** An agent's answer is awaited by what this session asks. */
  awaits: (session: Folded) => boolean;
  drive: DrivePolicy;
}

export interface Hub extends HandledHub, MenuParts {
  holds: Holds;
  /** Finds out what became of sessions that an earlier daemon was about to start. */
  takeUp: () => Promise<void>;
  start: () => void;
  /** Removes what belongs to sessions that were forgotten. */
  prune: () => void;
  /** Ends every session that the hub runs. */
  stopManaged: () => Promise<void>;
  close: () => void;
}

export const openHub = (deps: HubGround): Hub => {
  const { paths, env, config, loop, store, log, dirs, catchUp, awaits, drive } = deps;
  const onError = log.error;
  const holds = new Holds(
    loop,
    clock,
    config.hold.minutes * 60_000,
    catchUp,
    onError,
    session => session.approvals === 'held' || awaits(session),
  );
  keepMarkers(paths.held, loop);
  holdProjects(config.hold.projects, loop, holds, onError);
  const sessions = new Sessions({
    paths,
    env,
    loop,
    clock,
    findCli: async () => (await findClis({ env, configured: config.claude }))[0] ?? null,
    socket: config.tmuxSocket ?? defaultSocket(env),
    dirs,
    onError,
  });
  const tidy = new Tidy(paths, loop, onError);
  const receipts = new Receipts(loop, store, clock, onError);
  const messages = new Messages(loop, store, receipts, clock, drive, onError);
  const hands = new Hands(loop, clock, session => tidy.tidy(session));
  const menus = new Menus(loop.sessionIndex, hands, drive, clock);
  const commands = new Commands(loop, messages, receipts, clock, onError);
  const prune = () =>
    pruneLaunches(paths, id => loop.sessionIndex.get(id) !== undefined || sessions.isLaunching(id));
  return {
    sessionIndex: loop.sessionIndex,
    sessions,
    messages,
    receipts,
    hands,
    menus,
    asks: new Asks(loop, holds, menus, clock),
    commands,
    holds,
    ready: id => untilReady(loop, clock, id),
    drive,
    setDriven: (id, on) => setDriven(loop, clock, id, on),
    takeUp: () => sessions.takeUpAll(),
    start: () => {
      prune();
      commands.resume();
      messages.start();
    },
    prune,
    stopManaged: async () => {
      const managed = loop.sessionIndex.live().filter(session => session.managed);
      const failed = (error: unknown) => onError('a session could not be stopped', error);
      await Promise.all(managed.map(session => hands.stop(session).catch(failed)));
    },
    close: () => {
      commands.close();
      holds.close();
      receipts.close();
      messages.close();
    },
  };
};
