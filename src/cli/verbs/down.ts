/** `drover down`: stops managed sessions, then the daemon. Hooks do not start it again until `up`. */
import { stopDaemon } from '../../client/stop.ts';
import { errors } from '../../contract/error.ts';
import { type StoppedSessions, stopManagedSessions } from '../setup/stop-managed.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const ends: StoppedSessions = { stopped: [], failed: [] };
  let stopped = false;
  try {
    await stopManagedSessions(call, ends);
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
