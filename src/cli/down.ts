/** `drover down`: stops the sessions that the hub runs, then the daemon; hooks do not start it again before the next `up`. */
import { call as ask } from '../client/call.ts';
import { runningDaemon } from '../client/running.ts';
import { stopDaemon } from '../client/stop.ts';
import type { SessionList } from '../contract/api.ts';
import type { Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { type Call, flag } from './verb.ts';

export const run = async (call: Call): Promise<number> => {
  const ended = flag(call, 'keep') || !(await runningDaemon(call.paths)) ? 0 : await stopManaged(call);
  const stopped = await stopDaemon(call.paths);
  if (flag(call, 'json')) call.out(JSON.stringify({ stopped, sessions: ended }));
  else call.out(stopped ? 'down; events go on into the spool until the next `drover up`' : 'was not running');
  return 0;
};

/** No orphans: what the hub started ends before the hub does. A CLI may take seconds to leave, so each end is told. */
const stopManaged = async (call: Call): Promise<number> => {
  const { sessions } = await ask<SessionList>(call.paths, 'GET', '/sessions?live=1');
  const managed = sessions.filter(session => session.managed);
  const say = (text: string) => (flag(call, 'json') ? undefined : call.err(text));
  if (managed.length > 0) say(`stopping ${managed.length} managed (--keep leaves them) …`);
  let stopped = 0;
  const stop = async ({ id }: Session): Promise<void> => {
    try {
      await ask(call.paths, 'DELETE', `/sessions/${id}?force=1`, undefined, patience);
      say(`  ${++stopped} of ${managed.length}: ${id.slice(0, 8)} stopped`);
    } catch (error) {
      call.err(`  ${id.slice(0, 8)}: ${(error as Error).message}`);
    }
  };
  await Promise.all(managed.map(stop));
  return stopped;
};

const patience = limits.stopGrace + limits.stopKill + limits.answer;
