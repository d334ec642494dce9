/** The hub: messages, held requests, menus, commands and stops of sessions. */
import type { DrivePolicy } from '../../hub/drive-policy.ts';
import { Commands } from '../../hub/menu/commands.ts';
import { Menus } from '../../hub/menu/menu.ts';
import { Messages } from '../../hub/message/messages.ts';
import { Receipts } from '../../hub/message/receipts.ts';
import { Questions } from '../../hub/request/questions.ts';
import { holdProjects } from '../../hub/request/held-projects.ts';
import { Holds } from '../../hub/request/holds.ts';
import { keepMarkers } from '../../hub/request/markers.ts';
import { setDriven } from '../../hub/set-driven.ts';
import type { ManagedSessions } from '../../hub/start/managed-sessions.ts';
import { pruneLaunchFiles } from '../../hub/start/launch-files.ts';
import { awaitReady } from '../../hub/start/await-ready.ts';
import { SessionControls } from '../../hub/start/session-controls.ts';
import { SessionCleanup } from '../../hub/start/session-cleanup.ts';
import { hubHandlers } from '../../server/handlers/hub.ts';
import { menuHandlers } from '../../server/handlers/menu.ts';
import type { Folded } from '../../session/memory.ts';
import type { Core } from '../core.ts';

export interface HubDeps {
  sessions: ManagedSessions;
  /** Takes in what the sources have said of these sessions until now. */
  catchUp: (ids: string[]) => Promise<void>;
  drive: DrivePolicy;
  /** Whether hooks of this session wait for an agent. */
  awaitsAgent: (session: Folded) => boolean;
}

export const openHub = (core: Core, { sessions, catchUp, drive, awaitsAgent }: HubDeps) => {
  const { paths, config, loop, store, clock, log } = core;
  const { sessionIndex } = loop;
  const onError = log.error;
  const holds = new Holds(
    loop,
    clock,
    config.hold.minutes * 60_000,
    catchUp,
    onError,
    session => session.approvals === 'held' || awaitsAgent(session),
  );
  const heldMarkers = keepMarkers(paths.held, loop);
  const heldProjects = holdProjects(config.hold.projects, holds, onError);
  const cleanup = new SessionCleanup(paths, loop, onError);
  const receipts = new Receipts(loop, store, clock, onError);
  const messages = new Messages(loop, store, receipts, clock, drive, onError);
  const controls = new SessionControls(loop, clock, session => cleanup.cleanUp(session));
  const menus = new Menus(sessionIndex, controls, drive, clock);
  const commands = new Commands(loop, messages, receipts, clock, onError);
  const questions = new Questions(loop, holds, menus, clock);
  /** Removes what belongs to sessions that were forgotten. */
  const prune = () =>
    pruneLaunchFiles(paths, id => sessionIndex.get(id) !== undefined || sessions.isLaunching(id));
  return {
    name: 'hub',
    holds,
    messages,
    receipts,
    views: { heldMarkers, heldProjects, cleanup, commands },
    prune,
    handlers: {
      ...hubHandlers({
        sessionIndex,
        sessions,
        messages,
        receipts,
        controls,
        ready: id => awaitReady(loop, clock, id),
        drive,
        setDriven: (id, on) => setDriven(loop, clock, id, on),
      }),
      ...menuHandlers({ sessionIndex, menus, questions, commands }),
    },
    /** Stops every session that the hub runs. */
    stopManaged: async () => {
      const managed = sessionIndex.live().filter(session => session.managed);
      const failed = (error: unknown) => onError('a session could not be stopped', error);
      await Promise.all(managed.map(session => controls.stop(session).catch(failed)));
    },
    start: () => {
      prune();
      commands.cancelEarlier();
      messages.start();
    },
    close: () => {
      commands.close();
      holds.close();
      receipts.close();
      messages.close();
    },
  };
};

export type Hub = ReturnType<typeof openHub>;
