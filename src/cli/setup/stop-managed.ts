/** Stops the sessions that Drover started. */
import { setTimeout as pause } from 'node:timers/promises';
import { call as ask } from '../../client/call.ts';
import { isStarting, runningDaemon } from '../../client/running.ts';
import type { Session } from '../../contract/session.ts';
import { shortId } from '../../contract/short-id.ts';
import { limits } from '../../limits.ts';
import type { Paths } from '../../paths.ts';
import { type Call, flag } from '../verb.ts';
import { mayHaveSurvivors } from './surviving-sessions.ts';

/** The ids of the sessions that were stopped, and of those that could not be. */
export interface StoppedSessions {
  stopped: string[];
  failed: string[];
}

/** Adds each session to the result as soon as its end is known. */
export const stopManagedSessions = async (call: Call, result: StoppedSessions): Promise<void> => {
  if (!flag(call, 'keep') && (await isUp(call))) await stopManaged(call, result);
};

/** Returns whether a daemon runs. Starts one if managed sessions may have survived a crash or a signal. */
const isUp = async ({ paths, env, err }: Call): Promise<boolean> => {
  try {
    if (await runningDaemon(paths, { isAnyBuild: true })) return true;
  } catch (error) {
    if (!isStarting(error)) throw error;
    // It knows no sessions yet.
    err('The daemon is still reading its log: sessions that Drover started keep running.');
    return false;
  }
  if (!(await mayHaveSurvivors(paths, env))) return false;
  err('Starting the daemon to stop managed sessions …');
  const { ensureDaemon } = await import('../../client/start.ts');
  await ensureDaemon(paths, env);
  return true;
};

/** Stops all managed sessions. Reports each one, because a CLI may take seconds to exit. */
const stopManaged = async (call: Call, { stopped, failed }: StoppedSessions): Promise<void> => {
  const { sessions } = await ask(call.paths, 'listSessions', { query: { live: 1 } });
  const managed = sessions.filter(session => session.managed);
  const say = (text: string) => (flag(call, 'json') ? undefined : call.err(text));
  if (managed.length > 0)
    say(
      managed.length === 1
        ? 'Stopping 1 managed session (--keep leaves it running) …'
        : `Stopping ${managed.length} managed sessions (--keep leaves them running) …`,
    );
  const stop = async ({ id }: Session): Promise<void> => {
    try {
      await stopOne(call.paths, id);
      stopped.push(id);
      say(`  ${stopped.length} of ${managed.length}: ${shortId(id)} stopped`);
    } catch (error) {
      failed.push(id);
      call.err(`  ${shortId(id)}: ${(error as Error).message}`);
    }
  };
  await Promise.all(managed.map(stop));
};

/** Stops a session or its successor. Throws if it keeps running. */
const stopOne = async (paths: Paths, id: string): Promise<void> => {
  for (const deadline = performance.now() + limits.start.interrupted; ; await pause(limits.prompt.poll)) {
    try {
      await ask(paths, 'stopSession', { id, query: { force: 1 }, timeout: stopTimeout });
      return;
    } catch (error) {
      const { next, state, pid } = await ask(paths, 'readSession', { id });
      if (next) return stopOne(paths, next);
      if (state === 'ended') return;
      // A daemon that has just started may still be looking for the process.
      if (pid !== null || performance.now() > deadline) throw error;
    }
  }
};

const stopTimeout = limits.stop.grace + limits.stop.kill + limits.daemon.answerTimeout;
