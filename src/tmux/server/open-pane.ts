/** A pane for a program, in a session and window of the wanted names; what is missing on the way is made. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { isLeaving } from './run.ts';

export interface Place {
  socket: string;
  session: string;
  /** Its window; null: a new one. */
  window: { index: number; name: string | null } | null;
  /** Another pane of this window was opened a moment ago: beside it. */
  beside?: boolean;
}

export interface Opened {
  socket: string;
  serverPid: number;
  pane: string;
  pid: number;
}

/** A program for a person's pane: when it ends, a shell takes its place. */
export const thenShell = (argv: string[]): string[] => [
  'sh',
  '-c',
  '"$@"; exec "${SHELL:-/bin/sh}"',
  'drover',
  ...argv,
];

/** Opens the pane and starts the program in it. */
export const openPane = async (
  place: Place,
  dir: string,
  program: string[],
  env: Env,
  set: Record<string, string> = {},
): Promise<Opened> => {
  const { socket, session, window } = place;
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  // A directory goes as the client's own: `-c` would expand what looks like a format in it, and run what looks like a command.
  const run = (args: string[]) => tmuxWith(env, dir, socket, args);
  const variables = Object.entries(set).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const what = ['-P', '-F', '#{pane_id} #{pane_pid} #{window_index} #{pid}', ...variables];
  const name = window?.name ? ['-n', literal(window.name)] : [];
  const target = `=${session}:`;
  if ((await run(['has-session', '-t', `=${session}`])) === null) {
    // The size of a terminal that is to come: a program that starts in 80 columns draws for 80 columns.
    const size = ['-x', '200', '-y', '50'];
    const opened = openedOf(
      socket,
      await run(['new-session', '-d', '-s', literal(session), ...size, ...name, ...what, ...program]),
    );
    if (window && opened.index !== window.index)
      await run(['move-window', '-s', `${target}${opened.index}`, '-t', `${target}${window.index}`]);
    return opened;
  }
  const at = window && `${target}${window.index}`;
  const open = (where: string) => run(['new-window', '-d', '-t', where, ...name, ...what, ...program]);
  const split = at && place.beside ? await run(['split-window', '-d', '-t', at, ...what, ...program]) : null;
  if (split !== null) await run(['select-layout', '-t', at as string, 'tiled']);
  // The number may have been given to another window meanwhile.
  return openedOf(socket, split ?? (at && (await open(at))) ?? (await open(target)));
};

/** A name that is taken as it is. Any program can name its window, so a name may hold anything; `#[` cannot be quoted. */
const literal = (name: string): string => name.replaceAll('#', '##').replaceAll(/#+\[/g, '[');

const openedOf = (socket: string, said: string | null): Opened & { index: number } => {
  const [pane, pid, index, serverPid] = (said ?? '').trim().split(' ');
  if (!pane) throw new DroverError('failed', `tmux on ${socket} opened no pane.`);
  return { socket, serverPid: Number(serverPid), pane, pid: Number(pid), index: Number(index) };
};

/** A server that is started here hands its environment on to everything in it, so it gets the caller's own; null: it failed. */
const tmuxWith = async (
  env: Env,
  cwd: string,
  socket: string,
  args: string[],
  tries = 5,
): Promise<string | null> => {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !ofSession.test(name)));
  const options = { env: own, cwd, timeout: 5_000 };
  const { error, stdout } = await new Promise<{ error: Error | null; stdout: string }>(resolve => {
    execFile('tmux', ['-u', '-S', socket, ...args], options, (error, stdout) => resolve({ error, stdout }));
  });
  if (!error) return stdout;
  if (tries === 1 || !isLeaving(error.message)) return null;
  await pause(limits.tmux.exit);
  return tmuxWith(env, cwd, socket, args, tries - 1);
};

/** What belongs to the pane or the Claude Code session that this was started from, and to no other; one of them is a secret. */
const ofSession =
  /^(?:TMUX|TMUX_PANE|CLAUDECODE|CLAUDE_PID|CLAUDE_PROJECT_DIR|CLAUDE_CODE_(?:SESSION_ID|CHILD_SESSION|ENTRYPOINT|MESSAGING_TOKEN|SSE_PORT))$/;
