/** Open a pane for a program, and create its tmux session and window where they are missing. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withoutMarkers } from '../../claude/markers.ts';
import { DroverError } from '../../contract/error.ts';
import { loadLine } from '../../files/environment-file.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { tmuxErrorKind } from './tmux-error.ts';

export interface Place {
  socket: string;
  session: string;
  /** Null for a new window. */
  window: { index: number; name: string | null } | null;
  /** Split the window, because another pane of it was just opened. */
  beside?: boolean;
}

export interface Opened {
  socket: string;
  serverPid: number;
  pane: string;
  pid: number;
}

/** Wrap a program so that a shell replaces it when it exits. Only the program gets the variables of the file. */
export const thenShell = (argv: string[], environmentFile: string): string[] => [
  'sh',
  '-c',
  `(${loadLine(environmentFile)}; exec "$@"); exec "\${SHELL:-/bin/sh}"`,
  'drover',
  ...argv,
];

/** Open the pane and start the program in it. */
export const openPane = async (
  place: Place,
  dir: string,
  program: string[],
  env: Env,
  set: Record<string, string> = {},
): Promise<Opened> => {
  const { socket, session, window } = place;
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  // The directory is passed as the client's cwd: `-c` would expand formats in it, and run commands.
  const run = (args: string[]) => tmuxWith(env, dir, socket, args);
  const variables = Object.entries(set).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const print = ['-P', '-F', '#{pane_id} #{pane_pid} #{window_index} #{pid}', ...variables];
  const name = window?.name ? ['-n', literal(window.name)] : [];
  const target = `=${session}:`;
  if ((await run(['has-session', '-t', `=${session}`])) === null) {
    // A typical terminal size: a program that starts in the default 80 columns draws for 80 columns.
    const size = ['-x', '200', '-y', '50'];
    const opened = parseOpened(
      socket,
      await run(['new-session', '-d', '-s', literal(session), ...size, ...name, ...print, ...program]),
    );
    if (window && opened.index !== window.index)
      await run(['move-window', '-s', `${target}${opened.index}`, '-t', `${target}${window.index}`]);
    return opened;
  }
  const at = window && `${target}${window.index}`;
  const open = (where: string) => run(['new-window', '-d', '-t', where, ...name, ...print, ...program]);
  const split = at && place.beside ? await run(['split-window', '-d', '-t', at, ...print, ...program]) : null;
  if (split !== null) await run(['select-layout', '-t', at as string, 'tiled']);
  // Another window may have taken the index in the meantime.
  return parseOpened(socket, split ?? (at && (await open(at))) ?? (await open(target)));
};

/** Escape a name for tmux. A program can give its window any name; `#[` cannot be escaped, so its `#` is removed. */
const literal = (name: string): string => name.replaceAll('#', '##').replaceAll(/#+\[/g, '[');

const parseOpened = (socket: string, output: string | null): Opened & { index: number } => {
  const [pane, pid, index, serverPid] = (output ?? '').trim().split(' ');
  if (!pane) throw new DroverError('failed', `tmux could not open a pane on ${socket}.`);
  return { socket, serverPid: Number(serverPid), pane, pid: Number(pid), index: Number(index) };
};

/** Run tmux with the caller's environment, which a new server passes on to its panes. Returns null on failure. */
const tmuxWith = async (
  env: Env,
  cwd: string,
  socket: string,
  args: string[],
  tries = 5,
): Promise<string | null> => {
  // Not the variables of the caller's own pane or session: one of them is a secret.
  const options = { env: withoutMarkers(env), cwd, timeout: 5_000 };
  const { error, stdout } = await new Promise<{ error: Error | null; stdout: string }>(resolve => {
    execFile('tmux', ['-u', '-S', socket, ...args], options, (error, stdout) => resolve({ error, stdout }));
  });
  if (!error) return stdout;
  if (tries === 1 || tmuxErrorKind(error.message) !== 'serverExiting') return null;
  await pause(limits.tmux.exit);
  return tmuxWith(env, cwd, socket, args, tries - 1);
};
