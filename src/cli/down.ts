/** `drover down`: stops the sessions that the hub runs, then the daemon; hooks do not start it again before the next `up`. */
import { call as ask } from '../client/call.ts';
import { runningDaemon } from '../client/running.ts';
import { stopDaemon } from '../client/stop.ts';
import type { SessionList } from '../contract/api.ts';
import { limits } from '../limits.ts';
import { type Call, flag } from './verb.ts';

export const run = async (call: Call): Promise<number> => {
  const ended = flag(call, 'keep') || !(await runningDaemon(call.paths)) ? 0 : await stopManaged(call);
  const stopped = await stopDaemon(call.paths);
  if (flag(call, 'json')) call.out(JSON.stringify({ stopped, sessions: ended }));
  else call.out(stopped ? 'down; events go on into the spool until the next `drover up`' : 'was not running');
  return 0;
};

/** No orphans: what the hub started ends before the hub does. */
const stopManaged = async (call: Call): Promise<number> => {
  const { sessions } = await ask<SessionList>(call.paths, 'GET', '/sessions?live=1');
  const managed = sessions.filter(session => session.managed);
  if (managed.length === 0) return 0;
  if (!flag(call, 'json')) call.err(`stopping ${managed.length} managed sessions (--keep leaves them) …`);
  const patience = limits.stopGrace + limits.stopKill + limits.answer;
  const stops = managed.map(({ id }) =>
    ask(call.paths, 'DELETE', `/sessions/${id}?force=1`, undefined, patience).then(
      () => 1,
      error => {
        call.err(`${id.slice(0, 8)}: ${(error as Error).message}`);
        return 0;
      },
    ),
  );
  return (await Promise.all(stops)).reduce<number>((sum, one) => sum + one, 0);
};
