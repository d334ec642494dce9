/**
 * Starts a session in tmux. The intention is logged first: if the daemon exits in the middle, the next one can determine what
 * happened, so that nothing is started twice and nothing runs unmanaged.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Cli } from '../../claude/find-cli.ts';
import { withoutMarkers } from '../../claude/markers.ts';
import { type Clock, elapsed } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { NewSession } from '../../contract/hub.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Env, Paths } from '../../paths.ts';
import { processStart } from '../../platform/processes.ts';
import { launchEvents } from '../../session/launch.ts';
import type { Folded } from '../../session/memory.ts';
import { type Opened, openPane, type Place } from '../../tmux/server/open-pane.ts';
import {
  findStarted,
  type StartedSession,
  startSession as startTmuxSession,
  TmuxSessionExists,
  tmuxSessionName,
} from '../../tmux/server/session.ts';
import { ownEvent } from '../../session/own-event.ts';
import {
  prepareLaunch,
  prepareResume,
  type ResumeLaunch,
  removeLaunchFiles,
  removeStartScripts,
  scriptTail,
} from './launch-files.ts';
import { isUp } from './await-ready.ts';
import { answerTrust } from './answer-trust.ts';

export interface StartDeps {
  paths: Paths;
  /** The environment of a tmux server that is started, without `variables`. */
  env: Env;
  /** Variables that every session gets: authentication, provider, proxy, certificates. */
  variables: Record<string, string>;
  loop: Loop;
  clock: Clock;
  /** The tmux server for managed sessions. */
  socket: string;
  /** Whether a tmux server runs in another pid namespace: this daemon is in a container, the server on the host. */
  isForeign?: (socket: string) => Promise<boolean>;
  onError: (message: string, error: unknown) => void;
}

/** Starts a session. Throws when tmux cannot; the session then counts as ended. */
export const startSession = async (
  deps: StartDeps,
  cli: Cli,
  input: NewSession,
  key: string | null,
): Promise<Folded> => {
  const { paths, env, variables, socket, loop } = deps;
  const { session_id: id, cwd, name, approvals, trust } = input;
  const isForeign = (await deps.isForeign?.(socket)) ?? false;
  const script = prepareLaunch(paths, isForeign ? hookEnv(paths) : env, variables, cli, input);
  const tmux = tmuxSessionName(id);
  await record(deps, id, launchEvents.intended, { cwd, name, approvals, tmux, socket, trust, key });
  const started = await startTmuxSession({
    socket,
    name: tmux,
    // The script enters the folder itself; in a container it may not exist.
    cwd: isForeign ? '/' : cwd,
    script,
    env: withoutMarkers(env),
  }).catch(async error => {
    const failure = startFailure(tmux, error as Error);
    await fail(deps, id, failure.message);
    throw failure;
  });
  await recordStarted(deps, id, socket, started, trust);
  return loop.sessionIndex.get(id) as Folded;
};

/** Resumes a past session, which becomes managed. Throws when tmux cannot; the session then stays as it was. */
export const resumeSession = async (
  deps: StartDeps,
  cli: Cli,
  launch: ResumeLaunch,
  at: Place,
): Promise<Opened & { argv: string[] }> => {
  const { paths, env, variables, loop } = deps;
  const { id, from, dir } = launch;
  const before = loop.sessionIndex.get(id);
  const { script, argv } = prepareResume(paths, env, variables, cli.version, launch);
  await record(deps, id, launchEvents.intended, {
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
  await recordStarted(deps, id, at.socket, { serverPid, pane, panePid: pid }, false);
  return { ...opened, argv };
};

/** Determines the outcome of a start that an earlier daemon did not finish. */
export const recoverStart = async (deps: StartDeps, { id, memory }: Folded): Promise<void> => {
  const { launching } = memory;
  if (!launching) return;
  const { socket, tmux, trust } = launching;
  const isResume = typeof launching.was === 'boolean';
  const { clock, loop } = deps;
  // That daemon may have exited while tmux was still starting it.
  for (const deadline = elapsed(clock) + limits.start.interrupted; ; await pause(limits.prompt.poll)) {
    const started = await findStarted(socket, scriptTail(id, isResume));
    if (started) return recordStarted(deps, id, socket, started, trust);
    const now = loop.sessionIndex.get(id);
    if (!now || now.state === 'ended') return;
    // Its own events have said where it runs.
    if (isUp(now)) return record(deps, id, launchEvents.done, {});
    if (elapsed(clock) > deadline) break;
  }
  await fail(
    deps,
    id,
    isResume
      ? 'The daemon exited before it could resume the session.'
      : `The daemon exited before it could start the session; there is no tmux session ${tmux}.`,
  );
};

const recordStarted = async (
  deps: StartDeps,
  id: string,
  socket: string,
  { serverPid, pane, panePid }: StartedSession,
  trust: boolean,
): Promise<void> => {
  const { loop, clock, onError } = deps;
  const isForeign = (await deps.isForeign?.(socket)) ?? false;
  const foreignPids = isForeign ? { foreignPids: true } : {};
  await record(deps, id, launchEvents.done, {}, { pid: panePid, socket, serverPid, pane, ...foreignPids });
  if (trust)
    answerTrust(loop, clock, id, {
      socket,
      pane,
      serverPid,
      reader: isForeign ? { panePid } : { pid: panePid, start: processStart(panePid) },
    }).catch(error => onError('could not answer the trust dialog', error));
};

/** Names the emitter by its full path: on the host, HOME may lead elsewhere. */
const hookEnv = ({ home }: Paths): Env => ({ HOME: '/', DROVER_HOME: home });

const fail = async (deps: StartDeps, id: string, message: string): Promise<void> => {
  const { paths, loop } = deps;
  // A past session keeps the files of its earlier start.
  if (typeof loop.sessionIndex.get(id)?.memory.launching?.was === 'boolean') removeStartScripts(paths, id);
  else removeLaunchFiles(paths, id);
  await record(deps, id, launchEvents.failed, { message });
};

const record = (
  { loop, clock }: StartDeps,
  id: string,
  name: string,
  fields: object,
  context = {},
): Promise<void> => loop.append([{ draft: ownEvent(name, id, clock.now(), fields, context) }]);

const startFailure = (name: string, error: Error): DroverError =>
  error instanceof TmuxSessionExists
    ? new DroverError('refused', `A tmux session ${name} already exists.`, 'End it, or choose another id.')
    : new DroverError('failed', `tmux could not start the session: ${error.message}`);
