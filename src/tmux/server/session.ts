/** A tmux session of one program's own on a server that others use too. */
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { isLeaving, tmux } from './run.ts';

export interface StartedSession {
  serverPid: number;
  pane: string;
  panePid: number;
}

export interface SessionStart {
  socket: string;
  name: string;
  cwd: string;
  /** A shell script, run by `sh`: neither its words nor its environment stand on a command line. */
  script: string;
  /** The environment of a server that this call starts. */
  env: Env;
}

/** What the tmux session of a session of the hub is called. */
export const tmuxNameOf = (id: string): string => `claude-${id.slice(0, 8)}`;

const isOwnName = (name: string): boolean => /^claude-[0-9a-f]{8}$/.test(name);

/** Starts it in the background. The pane stays when its program ends, so that its last words can be read. */
export const startSession = async (start: SessionStart): Promise<StartedSession> => {
  const { socket, name, cwd, script, env } = start;
  const told = ['-P', '-F', '#{pid} #{pane_id} #{pane_pid}', '-x', '200', '-y', '50'];
  // Without -c, which would take the folder's name for a format: tmux begins where it is called from.
  const made = ['new-session', '-d', ...told, '-s', name, 'sh', script];
  const stays = [';', 'set-option', '-w', '-t', `=${name}:`, 'remain-on-exit', 'on'];
  const read = [';', ...piped(`=${name}:`, true)];
  const ask = () => tmux(socket, [...made, ...stays, ...read], { env, cwd });
  let answer = await ask();
  for (let tries = 1; tries < 5 && isLeaving(answer.error); tries++) {
    await pause(limits.tmux.exit);
    answer = await ask();
  }
  const { ok, stdout, error } = answer;
  const [serverPid, pane = '', panePid] = stdout.trim().split(' ');
  if (!ok || !pane) throw new Error(error ?? 'tmux new-session: it named no pane');
  return { serverPid: Number(serverPid), pane, panePid: Number(panePid) };
};

/** The pane that was started with a script whose path ends so, wherever it is by now; null where there is none. */
export const findStarted = async (socket: string, script: string): Promise<StartedSession | null> => {
  const format = '#{pid} #{pane_id} #{pane_pid} #{pane_start_command}';
  const { stdout } = await tmux(socket, ['list-panes', '-a', '-F', format]);
  // tmux tells the command with quotes of its own.
  const line = stdout.split('\n').find(line => line.replace(/["']+$/, '').endsWith(script));
  if (!line) return null;
  const [serverPid, pane = '', panePid] = line.split(' ');
  return { serverPid: Number(serverPid), pane, panePid: Number(panePid) };
};

/**
 * While somebody listens to a pane, tmux reads all that its program has said before it lets go of it. Otherwise what was
 * said in the last moment may be lost: tmux may hear of the end first.
 */
export const watchScreen = async (socket: string, pane: string, on: boolean): Promise<void> => {
  await tmux(socket, piped(pane, on));
};

const piped = (target: string, on: boolean): string[] => [
  'pipe-pane',
  '-t',
  target,
  ...(on ? ['cat >/dev/null'] : []),
];

/** Ends the session in which a pane is, if that pane is still the one that is meant and the session is named as the hub names them. */
export const endSession = async (
  socket: string,
  { serverPid, pane }: Pick<StartedSession, 'serverPid' | 'pane'>,
  /** Another one lives in it too: the pane alone is ended. */
  shared: boolean,
): Promise<void> => {
  const format = '#{pid}\t#{session_id}\t#{session_name}';
  const told = await tmux(socket, ['display-message', '-p', '-t', pane, format]);
  const [server, session, name] = told.stdout.trimEnd().split('\t');
  // A server gives no pane's number away twice.
  if (!told.ok || Number(server) !== serverPid || !session) return;
  if (isOwnName(name ?? ''))
    await tmux(socket, shared ? ['kill-pane', '-t', pane] : ['kill-session', '-t', session]);
};
