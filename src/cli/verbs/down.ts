/** `drover down`: stops managed sessions, then the daemon. Hooks do not start it again until `up`. */
import { setTimeout as pause } from 'node:timers/promises';
import { call as ask } from '../../client/call.ts';
import { runningDaemon } from '../../client/running.ts';
import { stopDaemon } from '../../client/stop.ts';
import { errors } from '../../contract/error.ts';
import type { Session } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import type { Paths } from '../../paths.ts';
import { mayHaveSurvivors } from '../setup/surviving-sessions.ts';
import { type Call, flag } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const ends: Ends = { stopped: [], failed: [] };
  let stopped = false;
  try {
    if (!flag(call, 'keep') && (await isUp(call))) await stopManaged(call, ends);
  } finally {
    stopped = await stopDaemon(call.paths);
  }
  const { failed } = ends;
  if (flag(call, 'json')) call.out(JSON.stringify({ stopped, sessions: ends.stopped.length, failed }));
  else call.out(stopped ? 'Stopped. Hooks write to the spool until the next `drover up`.' : 'Not running');
  if (failed.length === 0) return 0;
  call.err(`drover: not stopped: ${failed.join(', ')}\n  Run \`drover up\`, then \`drover stop\`.`);
  return errors.failed.exit;
};

interface Ends {
  stopped: string[];
  failed: string[];
}

/** Returns whether a daemon runs. Starts one if managed sessions may have survived a crash or a signal. */
const isUp = async ({ paths, env, err }: Call): Promise<boolean> => {
  if (await runningDaemon(paths)) return true;
  if (!(await mayHaveSurvivors(paths, env))) return false;
  err('Starting the daemon to stop managed sessions …');
  const { ensureDaemon } = await import('../../client/start.ts');
  await ensureDaemon(paths, env);
  return true;
};

/** Stops all managed sessions. Reports each one, because a CLI may take seconds to exit. */
const stopManaged = async (call: Call, { stopped, failed }: Ends): Promise<void> => {
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
