/** What a session file says about a process that runs now. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../limits.ts';
import { processEnv, processStart } from '../proc.ts';
import { readSmall } from './read-file.ts';
import { parseSessionFile, type SessionFile, sessionFilePid } from './session-file.ts';

/** Its process still runs. A file of a process that is gone stays behind, and its pid may be another's by now. */
export const isAlive = (pid: number, file: SessionFile): boolean => {
  const start = processStart(pid);
  return (
    start !== null &&
    file.pid === pid &&
    (process.platform !== 'linux' || file.procStart === undefined || file.procStart === start)
  );
};

/** The pane a process was started in, as its own environment says; null outside tmux. */
export const paneOfProcess = (pid: number): { socket: string; serverPid: number; pane: string } | null => {
  const { TMUX, TMUX_PANE } = processEnv(pid, ['TMUX', 'TMUX_PANE'] as const);
  const server = /^(.+),(\d+),[^,]*$/s.exec(TMUX ?? '');
  if (!server || !TMUX_PANE) return null;
  return { socket: server[1] as string, serverPid: Number(server[2]), pane: TMUX_PANE };
};

/** The files of all sessions that run now. One that is just being written is missed: it was there before, or comes again. */
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
