/** `drover restart`: a new daemon in the place of the old one. The spool keeps what fires between them. */
import { runningDaemon } from '../../client/running.ts';
import { startDaemon } from '../../client/start.ts';
import { stopDaemon } from '../../client/stop.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const { paths, env } = call;
  // A config that the next daemon would refuse must not cost the present one.
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
