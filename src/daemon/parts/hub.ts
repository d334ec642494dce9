/** The hub: messages, held requests, menus, commands and stops of sessions. */
import type { DrivePolicy } from '../../hub/drive-policy.ts';
import { Continuations } from '../../hub/limit/continuations.ts';
import { LimitWatch } from '../../hub/limit/limit-watch.ts';
import { Commands } from '../../hub/menu/commands.ts';
import { Menus } from '../../hub/menu/menu.ts';
import { Messages } from '../../hub/message/messages.ts';
import { unparkAndSend } from '../../hub/message/unpark-and-send.ts';
import { Receipts } from '../../hub/message/receipts.ts';
import { ScreenAnswers } from '../../hub/request/answer-by-screen.ts';
import { RequestAnswers } from '../../hub/request/answer-request.ts';
import { Questions } from '../../hub/request/questions.ts';
import { HoldAll } from '../../hub/request/hold-all.ts';
import { holdProjects } from '../../hub/request/hold-projects.ts';
import { Holds } from '../../hub/request/holds.ts';
import { watchEffect } from '../../hub/request/hook-effect.ts';
import { UnreadDialogs } from '../../hub/request/unread-dialogs.ts';
import { setDriven } from '../../hub/set-driven.ts';
import type { ManagedSessions } from '../../hub/start/managed-sessions.ts';
import { pruneLaunchFiles } from '../../hub/start/launch-files.ts';
import { awaitReady } from '../../hub/start/await-ready.ts';
import { SessionControls } from '../../hub/start/session-controls.ts';
import { SessionCleanup } from '../../hub/start/session-cleanup.ts';
import { hubHandlers } from '../../server/handlers/hub.ts';
import { messageHandlers } from '../../server/handlers/messages.ts';
import { menuHandlers } from '../../server/handlers/menu.ts';
import type { Folded } from '../../session/memory.ts';
import type { Core } from '../core.ts';
import { openParking } from '../open-parking.ts';
import type { Past } from './past.ts';

export interface HubDeps {
  past: Pick<Past, 'resume' | 'hasTranscript'>;
  sessions: ManagedSessions;
  /** Commits what the sources have reported about these sessions so far. */
  catchUp: (ids: string[]) => Promise<void>;
  drive: DrivePolicy;
  /** Whether hooks of this session wait for an agent. */
  awaitsAgent: (session: Folded) => boolean;
  /** How long an agent of this session may take to answer, ms. */
  answerTime: (session: Folded) => number;
}

export const openHub = (core: Core, { past, sessions, catchUp, drive, awaitsAgent, answerTime }: HubDeps) => {
  const { paths, config, loop, store, clock, log } = core;
  const { sessionIndex } = loop;
  const onError = log.error;
  const holds = new Holds(
    loop,
    clock,
    session => Math.max(config.hold.minutes * 60_000, answerTime(session)),
    catchUp,
    watchEffect(loop, clock, catchUp),
    onError,
    session => session.approvals === 'held' || awaitsAgent(session),
    awaitsAgent,
  );
  const holdAll = new HoldAll(paths.holdAll, config, sessionIndex, holds);
  const heldProjects = holdProjects(
    () => config.hold.projects,
    holds,
    session => holdAll.isOn(session),
    onError,
  );
  const cleanup = new SessionCleanup(paths, loop, onError);
  const receipts = new Receipts(loop, store, clock, onError);
  const messages = new Messages(loop, store, receipts, clock, drive, onError);
  const controls = new SessionControls(loop, clock, session => cleanup.cleanUp(session));
  const parkingPart = openParking(core, { past, messages });
  const { parking } = parkingPart;
  const send = unparkAndSend(messages, drive, session => parking.unpark(session));
  const menus = new Menus(sessionIndex, controls, drive, clock);
  const limitWatch = new LimitWatch(loop, clock, onError);
  const continuations = new Continuations({
    loop,
    clock,
    config: () => config.continue,
    messages,
    receipts,
    menus,
    drive,
    catchUp,
    onError,
  });
  const commands = new Commands(loop, messages, receipts, clock, onError);
  const unread = new UnreadDialogs(store.facts, onError);
  const screens = new ScreenAnswers({ loop, clock, catchUp, unread });
  const answers = new RequestAnswers({ loop, holds, screens, drive, clock, catchUp });
  const questions = new Questions(loop, answers, clock);
  /** Removes what belongs to sessions that were forgotten. */
  const pruneForgotten = () =>
    pruneLaunchFiles(paths, id => sessionIndex.get(id) !== undefined || sessions.isLaunching(id));
  return {
    name: 'hub',
    holds,
    holdAll,
    answers,
    unread,
    messages,
    receipts,
    parking,
    send,
    views: { heldProjects, cleanup, commands, limitWatch, continuations },
    prune: pruneForgotten,
    handlers: {
      ...hubHandlers({
        sessionIndex,
        sessions,
        messages,
        controls,
        ready: id => awaitReady(loop, clock, id),
        drive,
        parking,
        setDriven: (id, on) => setDriven(loop, clock, id, on),
      }),
      ...messageHandlers({ sessionIndex, messages, send, receipts, continuations }),
      ...menuHandlers({ sessionIndex, menus, questions, commands }),
    },
    /** Stops every session that the hub runs. */
    stopManaged: async () => {
      const managed = sessionIndex.live().filter(session => session.managed);
      const failed = (error: unknown) => onError('a session could not be stopped', error);
      await Promise.all(managed.map(session => controls.stop(session).catch(failed)));
    },
    start: () => {
      pruneForgotten();
      commands.cancelEarlier();
      continuations.start();
      messages.start();
      limitWatch.start();
      parkingPart.start();
    },
    reload: parkingPart.reload,
    close: () => {
      parkingPart.close();
      continuations.close();
      limitWatch.close();
      commands.close();
      holds.close();
      receipts.close();
      messages.close();
    },
  };
};

export type Hub = ReturnType<typeof openHub>;
