/** `drover down`: stops the daemon; hooks do not start it again before the next `up`. */
import { stopDaemon } from '../client/stop.ts';
import { type Call, flag } from './verb.ts';

export const run = async (call: Call): Promise<number> => {
  const stopped = await stopDaemon(call.paths);
  if (flag(call, 'json')) call.out(JSON.stringify({ stopped }));
  else call.out(stopped ? 'down; events go on into the spool until the next `drover up`' : 'was not running');
  return 0;
};
