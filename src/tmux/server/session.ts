/** A tmux session for one program, on a server that is also used for other things. */
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { tmux } from './run.ts';
import { tmuxErrorKind } from './tmux-error.ts';
import { shortId } from '../../contract/short-id.ts';

export interface StartedSession {
  serverPid: number;
  pane: string;
  panePid: number;
}

export interface SessionStart {
  socket: string;
  name: string;
  cwd: string;
  /** A shell script, run by `sh`, so that its arguments and environment are not visible on a command line. */
  script: string;
  /** The environment of a server that this call starts. */
  env: Env;
}

/** Return the name of the tmux session for a session that Drover starts. */
export const tmuxSessionName = (id: string): string => `claude-${shortId(id)}`;

const isOwnName = (name: string): boolean => /^claude-[0-9a-f]{8}$/.test(name);

/** A session of this name exists. */
export class TmuxSessionExists extends Error {}

/** Start it in the background. The pane stays after its program exits, so that its last output can be read. */
export const startSession = async ({
  socket,
  name,
  cwd,
  script,
  env,
}: SessionStart): Promise<StartedSession> => {
  const print = ['-P', '-F', '#{pid} #{pane_id} #{pane_pid}', '-x', '200', '-y', '50'];
  // Without -c, which would expand formats in the folder's name: tmux starts in the cwd of the call.
  const create = ['new-session', '-d', ...print, '-s', name, 'sh', script];
  const remain = [';', 'set-option', '-w', '-t', `=${name}:`, 'remain-on-exit', 'on'];
  const pipe = [';', ...pipeCommand(`=${name}:`, true)];
  const start = () => tmux(socket, [...create, ...remain, ...pipe], { env, cwd });
  let result = await start();
  for (let tries = 1; tries < 5 && tmuxErrorKind(result.error) === 'serverExiting'; tries++) {
    await pause(limits.tmux.exit);
    result = await start();
  }
  const { ok, stdout, error } = result;
  const [serverPid, pane = '', panePid] = stdout.trim().split(' ');
  if (tmuxErrorKind(error) === 'sessionExists') throw new TmuxSessionExists(error ?? '');
  if (!ok || !pane) throw new Error(error ?? 'tmux new-session: no pane was created');
  return { serverPid: Number(serverPid), pane, panePid: Number(panePid) };
};

/** Find the pane that was started with this script (a path suffix), even after a rename or move; null when there is none. */
export const findStarted = async (socket: string, script: string): Promise<StartedSession | null> => {
  const format = '#{pid} #{pane_id} #{pane_pid} #{pane_start_command}';
  const { stdout } = await tmux(socket, ['list-panes', '-a', '-F', format]);
  // tmux adds quotes around the command.
  const line = stdout.split('\n').find(line => line.replace(/["']+$/, '').endsWith(script));
  if (!line) return null;
  const [serverPid, pane = '', panePid] = line.split(' ');
  return { serverPid: Number(serverPid), pane, panePid: Number(panePid) };
};

/**
 * Pipe the pane's output, or stop doing so. With a pipe, tmux reads all output before it closes a pane. Without one, the last
 * output can be lost, because tmux may notice the exit first.
 */
export const watchScreen = async (socket: string, pane: string, on: boolean): Promise<void> => {
  await tmux(socket, pipeCommand(pane, on));
};

const pipeCommand = (target: string, on: boolean): string[] => [
  'pipe-pane',
  '-t',
  target,
  ...(on ? ['cat >/dev/null'] : []),
];

/** Kill a pane, and with it the program in it, if it is still the same pane of the same server. */
export const killPane = async (
  socket: string,
  { serverPid, pane, panePid }: StartedSession,
): Promise<void> => {
  const isSame = `#{&&:#{==:#{pid},${serverPid}},#{==:#{pane_pid},${panePid}}}`;
  await tmux(socket, ['if-shell', '-F', '-t', pane, isSame, `kill-pane -t ${pane}`]);
};

/** Kill the tmux session of a pane, if it is still the same pane and Drover named the session. */
export const endSession = async (
  socket: string,
  { serverPid, pane }: Pick<StartedSession, 'serverPid' | 'pane'>,
  /** Another session uses the tmux session too: kill only the pane. */
  shared: boolean,
): Promise<void> => {
  const format = '#{pid}\t#{session_id}\t#{session_name}';
  const { ok, stdout } = await tmux(socket, ['display-message', '-p', '-t', pane, format]);
  const [server, session, name] = stdout.trimEnd().split('\t');
  // A server never reuses a pane id, so the same server means the same pane.
  if (!ok || Number(server) !== serverPid || !session) return;
  if (isOwnName(name ?? ''))
    await tmux(socket, shared ? ['kill-pane', '-t', pane] : ['kill-session', '-t', session]);
};
