/** `drover restart`: replaces the daemon. The spool keeps events in between. */
import { runningDaemon } from '../../client/running.ts';
import { startDaemon } from '../../client/start.ts';
import { stopDaemon } from '../../client/stop.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const { paths, env } = call;
  // Checked first: an invalid config must not stop the running daemon.
  const { readConfig } = await import('../../daemon/config.ts');
  readConfig(paths.config);
  const before = await runningDaemon(paths);
  const port = before?.url ? new URL(before.url).port : undefined;
  await stopDaemon(paths, true);
  const status = await startDaemon(paths, env, port);
  if (flag(call, 'json')) call.out(JSON.stringify(status));
  else
    call.out(
      `${before ? `restarted (was version ${before.version}, pid ${before.pid})` : 'was not running; started'}: ${status.url} (pid ${status.pid})`,
    );
  return 0;
};
