/** The clients attached to a server: which pane each shows, and how to ring its bell. */
import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { Pane } from '../../contract/session.ts';
import type { TmuxClient } from '../keys/jump.ts';
import { tmux } from './run.ts';

/** Find the panes that a focused client shows, as far as tmux knows the focus. */
export const panesInSight = async (panes: Pane[]): Promise<Set<Pane>> => {
  const shown = new Map<string, Set<string>>();
  for (const socket of new Set(panes.map(pane => pane.socket))) {
    const { stdout } = await tmux(socket, [
      'list-clients',
      '-F',
      '#{?client_control_mode,,#{client_flags}}\t#{pane_id}',
    ]);
    const rows = stdout.split('\n').map(row => row.split('\t'));
    const ids = rows.filter(([flags]) => flags?.split(',').includes('focused')).map(([, id = '']) => id);
    shown.set(socket, new Set(ids));
  }
  return new Set(panes.filter(pane => shown.get(pane.socket)?.has(pane.id)));
};

/** Find the panes that focused clients show, and when each such client was last used, ms. */
export const panesInUse = async (socket: string): Promise<Map<string, number>> => {
  const format = '#{?client_control_mode,,#{client_flags}}\t#{pane_id}\t#{client_activity}';
  const { stdout } = await tmux(socket, ['list-clients', '-F', format]);
  const used = new Map<string, number>();
  for (const row of stdout.split('\n')) {
    const [flags, pane = '', activity] = row.split('\t');
    if (!flags?.split(',').includes('focused')) continue;
    used.set(pane, Math.max(used.get(pane) ?? 0, Number(activity) * 1_000));
  }
  return used;
};

/** Ring the bell of every terminal that is attached to one of the servers. */
export const ringBell = async (sockets: Iterable<string>): Promise<void> => {
  for (const socket of new Set(sockets)) {
    const { stdout } = await tmux(socket, ['list-clients', '-F', '#{client_tty}']);
    for (const tty of stdout.split('\n').filter(name => name.startsWith('/dev/'))) ringOne(tty);
  }
};

// Non-blocking: a terminal that is stopped with Ctrl-S must not block the daemon.
const ringOne = (tty: string): void => {
  const fd = openSync(tty, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  try {
    writeSync(fd, '\x07');
  } finally {
    closeSync(fd);
  }
};

/** List the clients of a server that can be moved, most recently used first. */
export const listClients = async (
  socket: string,
): Promise<(TmuxClient & { name: string; used: number })[]> => {
  const format = [
    '#{client_name}',
    '#{client_pid}',
    '#{pane_id}',
    '#{session_id}',
    '#{session_name}',
    '#{client_activity}',
    '#{client_control_mode}',
  ].join('\t');
  const { stdout } = await tmux(socket, ['list-clients', '-F', format]);
  return stdout
    .split('\n')
    .map(row => row.split('\t'))
    .filter(([client, , , , , , control]) => client && control !== '1')
    .map(([client = '', clientPid = '', pane = '', session = '', name = '', used = '0']) => ({
      socket,
      client,
      clientPid,
      pane,
      session,
      name,
      used: Number(used) * 1_000,
    }))
    .sort((a, b) => b.used - a.used);
};
