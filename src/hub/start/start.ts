/**
 * The start of a session in tmux. That it is meant to be started is in the log first: a daemon that goes in the middle of it
 * leaves the next one enough to find what became of it, so nothing is started twice and nothing runs unmanaged.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Cli } from '../../claude/find-cli.ts';
import { withoutMarkers } from '../../claude/markers.ts';
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { CreateSession } from '../../contract/hub.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Env, Paths } from '../../paths.ts';
import { processStart } from '../../proc.ts';
import { launches } from '../../session/launch.ts';
import type { Folded } from '../../session/memory.ts';
import { type Opened, openPane, type Place } from '../../tmux/server/open-pane.ts';
import {
  findStarted,
  type StartedSession,
  startSession,
  tmuxSessionName,
} from '../../tmux/server/session.ts';
import { ownEvent } from '../../session/own-event.ts';
import { type Again, prepareAgain, prepareLaunch, removeLaunch, removeStart, scriptTail } from './launch.ts';
import { isUp } from './ready.ts';
import { answerTrust } from './trust.ts';

export interface StartDeps {
  paths: Paths;
  env: Env;
  loop: Loop;
  clock: Clock;
  /** The tmux server for sessions of the hub. */
  socket: string;
  onError: (message: string, error: unknown) => void;
}

/** Starts a session; throws where tmux does not, and then it has ended before it began. */
export const startNew = async (
  deps: StartDeps,
  cli: Cli,
  wish: CreateSession,
  key: string | null,
): Promise<Folded> => {
  const { paths, env, socket, loop } = deps;
  const { session_id: id, cwd, name, approvals, trust } = wish;
  const script = prepareLaunch(paths, env, cli, wish);
  const tmux = tmuxSessionName(id);
  await say(deps, id, launches.intended, { cwd, name, approvals, tmux, socket, trust, key });
  const started = await startSession({ socket, name: tmux, cwd, script, env: withoutMarkers(env) }).catch(
    async error => {
      const refusal = refusalOf(tmux, error as Error);
      await fail(deps, id, refusal.message);
      throw refusal;
    },
  );
  await place(deps, id, socket, started, trust);
  return loop.sessionIndex.get(id) as Folded;
};

/** Starts a past session again, as one of the hub's; throws where tmux does not, and then it is whose it was. */
export const startAgain = async (
  deps: StartDeps,
  cli: Cli,
  again: Again,
  at: Place,
): Promise<Opened & { argv: string[] }> => {
  const { paths, env, loop } = deps;
  const { id, from, dir } = again;
  const before = loop.sessionIndex.get(id);
  const { script, words } = prepareAgain(paths, env, cli.version, again);
  await say(deps, id, launches.intended, {
    cwd: dir,
    approvals: before?.approvals,
    tmux: at.session,
    socket: at.socket,
    key: before?.memory.launchKey,
    again: id === from,
  });
  const opened = await openPane(at, dir, ['sh', script], withoutMarkers(env)).catch(async error => {
    await fail(deps, id, (error as Error).message);
    throw error;
  });
  const { serverPid, pane, pid } = opened;
  await place(deps, id, at.socket, { serverPid, pane, panePid: pid }, false);
  return { ...opened, argv: words };
};

/** Finds out what became of a start that an earlier daemon was in the middle of. */
export const takeUpStart = async (deps: StartDeps, { id, memory }: Folded): Promise<void> => {
  const { launching } = memory;
  if (!launching) return;
  const { socket, tmux, trust } = launching;
  const isAgain = typeof launching.was === 'boolean';
  const { clock, loop } = deps;
  // That daemon may have gone while tmux was still at it.
  for (const deadline = clock.now() + limits.start.interrupted; ; await pause(limits.prompt.poll)) {
    const started = await findStarted(socket, scriptTail(id, isAgain));
    if (started) return place(deps, id, socket, started, trust);
    const now = loop.sessionIndex.get(id);
    if (!now || now.state === 'ended') return;
    // It has told of itself, and from where.
    if (isUp(now)) return say(deps, id, launches.done, {});
    if (clock.now() > deadline) break;
  }
  await fail(
    deps,
    id,
    isAgain
      ? 'The daemon went as it was about to take it up again.'
      : `The daemon went as it was about to start it; there is no tmux session ${tmux}.`,
  );
};

const place = async (
  deps: StartDeps,
  id: string,
  socket: string,
  { serverPid, pane, panePid }: StartedSession,
  trust: boolean,
): Promise<void> => {
  const { loop, onError } = deps;
  await say(deps, id, launches.done, {}, { pid: panePid, socket, serverPid, pane });
  if (trust)
    answerTrust(loop, id, {
      socket,
      pane,
      serverPid,
      reader: { pid: panePid, start: processStart(panePid) },
    }).catch(error => onError('the trust dialog could not be answered', error));
};

const fail = async (deps: StartDeps, id: string, message: string): Promise<void> => {
  const { paths, loop } = deps;
  // What a past session was started with before is still its own.
  if (typeof loop.sessionIndex.get(id)?.memory.launching?.was === 'boolean') removeStart(paths, id);
  else removeLaunch(paths, id);
  await say(deps, id, launches.failed, { message });
};

const say = (
  { loop, clock }: StartDeps,
  id: string,
  name: string,
  fields: object,
  context = {},
): Promise<void> => loop.take([{ draft: ownEvent(name, id, clock.now(), fields, context) }]);

const refusalOf = (name: string, { message }: Error): DroverError =>
  /duplicate session/.test(message)
    ? new DroverError('refused', `There is a tmux session ${name} already.`, 'End it, or take another id.')
    : new DroverError('failed', `tmux could not start it: ${message}`);
