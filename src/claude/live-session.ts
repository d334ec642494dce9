/** Session files of running processes. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.ts';
import { couldHaveWritten, processEnv, processStart } from '../platform/processes.ts';
import { readSmall } from './read-file.ts';
import { parseSessionFile, type SessionFile, sessionFilePid } from './session-file.ts';

/** Whether its process still runs. A file may outlive its process, and the pid may be reused. */
export const isAlive = (pid: number, file: SessionFile): boolean =>
  file.pid === pid && processStart(pid) !== null && couldHaveWritten(pid, file);

/** The pane a process was started in, from its environment; null outside tmux. */
export const paneOfProcess = (pid: number): { socket: string; serverPid: number; pane: string } | null => {
  const { TMUX, TMUX_PANE } = processEnv(pid, ['TMUX', 'TMUX_PANE'] as const) ?? {};
  const server = /^(.+),(\d+),[^,]*$/s.exec(TMUX ?? '');
  if (!server || !TMUX_PANE) return null;
  return { socket: server[1] as string, serverPid: Number(server[2]), pane: TMUX_PANE };
};

/** The files of all running sessions. Misses a file that is being rewritten at this moment. */
export const liveSessions = (claudeDirs: string[]): SessionFile[] =>
  claudeDirs.flatMap(dir => {
    const folder = join(dir, 'sessions');
    return list(folder).flatMap(name => {
      const pid = sessionFilePid(name);
      const file =
        pid === null
          ? null
          : parseSessionFile(readSmall(join(folder, name), limits.watch.sessionFileBytes) ?? '');
      return file && pid !== null && isAlive(pid, file) ? [file] : [];
    });
  });

const list = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
