/** `drover down`: stops the sessions that the hub runs, then the daemon; hooks do not start it again before the next `up`. */
import { setTimeout as pause } from 'node:timers/promises';
import { call as ask } from '../../client/call.ts';
import { runningDaemon } from '../../client/running.ts';
import { stopDaemon } from '../../client/stop.ts';
import { errors } from '../../contract/error.ts';
import type { Session } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import type { Paths } from '../../paths.ts';
import { mayRunUnwatched } from '../setup/unwatched.ts';
import { type Call, flag } from '../verb.ts';

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
  else call.out(stopped ? 'down; events go on into the spool until the next `drover up`' : 'was not running');
  if (failed.length === 0) return 0;
  call.err(`drover: not stopped: ${failed.join(', ')}\n  \`drover up\` and \`drover stop\` try again`);
  return errors.failed.exit;
};

interface Ends {
  stopped: string[];
  failed: string[];
}

/** Whether a daemon runs. One that a crash or a signal took is brought back where sessions of the hub may run without it. */
const isUp = async ({ paths, env, err }: Call): Promise<boolean> => {
  if (await runningDaemon(paths)) return true;
  if (!(await mayRunUnwatched(paths, env))) return false;
  err('Starting the daemon to stop managed sessions …');
  const { ensureDaemon } = await import('../../client/start.ts');
  await ensureDaemon(paths, env);
  return true;
};

/** No orphans: what the hub started ends before the hub does. A CLI may take seconds to leave, so each end is told. */
const stopManaged = async (call: Call, { stopped, failed }: Ends): Promise<void> => {
  const { sessions } = await ask(call.paths, 'listSessions', { query: { live: 1 } });
  const managed = sessions.filter(session => session.managed);
  const say = (text: string) => (flag(call, 'json') ? undefined : call.err(text));
  if (managed.length > 0) say(`stopping ${managed.length} managed (--keep leaves them) …`);
  const stop = async ({ id }: Session): Promise<void> => {
    try {
      await stopOne(call.paths, id);
      stopped.push(id);
      say(`  ${stopped.length} of ${managed.length}: ${id.slice(0, 8)} stopped`);
    } catch (error) {
      failed.push(id);
      call.err(`  ${id.slice(0, 8)}: ${(error as Error).message}`);
    }
  };
  await Promise.all(managed.map(stop));
};

/** Stops one, or what followed it. Throws when it lives on. */
const stopOne = async (paths: Paths, id: string): Promise<void> => {
  for (const deadline = Date.now() + limits.start.interrupted; ; await pause(limits.prompt.poll)) {
    try {
      await ask(paths, 'stopSession', { id, query: { force: 1 }, timeout: stopTimeout });
      return;
    } catch (error) {
      const { next, state, pid } = await ask(paths, 'readSession', { id });
      if (next) return stopOne(paths, next);
      if (state === 'ended') return;
      // A daemon that has just come up may still look for one whose start it was told of.
      if (pid !== null || Date.now() > deadline) throw error;
    }
  }
};

const stopTimeout = limits.stop.grace + limits.stop.kill + limits.daemon.answerTimeout;
