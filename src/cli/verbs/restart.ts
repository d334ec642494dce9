/** `drover restart`: replaces the daemon. The spool keeps events in between. */
import { readFileSync } from 'node:fs';
import type { Paths } from '../../paths.ts';
import { startProgress } from '../output/start-progress.ts';
import { startDaemon } from '../../client/start.ts';
import { stopDaemon } from '../../client/stop.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const { paths, env } = call;
  // Checked first: an invalid config must not stop the running daemon.
  const { readConfig } = await import('../../daemon/config.ts');
  readConfig(paths.config);
  const before = registered(paths);
  const wasRunning = await stopDaemon(paths, true);
  const port = wasRunning && before ? new URL(before.url).port : undefined;
  const progress = startProgress(call);
  const status = await startDaemon(paths, env, port, progress.show).finally(progress.end);
  if (flag(call, 'json')) call.out(JSON.stringify(status));
  else
    call.out(
      `${wasRunning && before ? `restarted (was version ${before.version}, pid ${before.pid})` : 'was not running; started'}: ${status.url} (pid ${status.pid})`,
    );
  return 0;
};

const registered = (paths: Paths): { pid: number; url: string; version: string } | null => {
  try {
    return JSON.parse(readFileSync(paths.daemon, 'utf8')) as { pid: number; url: string; version: string };
  } catch {
    return null;
  }
};
