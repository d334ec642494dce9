/** Going to a pane, because a human pressed a key for it. */
import { spawn } from 'node:child_process';
import type { Pane } from '../contract/session.ts';
import type { Env } from '../paths.ts';
import { tmux } from './run.ts';

export type Visit =
  | { kind: 'moved' }
  /** This terminal is not in that tmux server: it has to attach to it. */
  | { kind: 'attach'; command: string[] }
  | { kind: 'failed'; problem: string };

/** Moves the client that shows this terminal to the pane. */
export const visit = async (pane: Pane, env: Env): Promise<Visit> => {
  const command = ['tmux', '-S', pane.socket, 'attach-session', '-t', pane.id];
  const [socket] = (env.TMUX ?? '').split(',');
  if (!socket) return { kind: 'attach', command };
  if (socket !== pane.socket)
    return { kind: 'failed', problem: `it is on another server: ${command.join(' ')}` };
  const client = await clientOf(socket, env);
  const { ok, error } = await tmux(socket, [
    'switch-client',
    ...(client ? ['-c', client] : []),
    '-t',
    pane.id,
  ]);
  return ok ? { kind: 'moved' } : { kind: 'failed', problem: error ?? 'tmux refused' };
};

/** Gives the terminal to tmux until the human detaches. */
export const attach = ([program, ...args]: string[], env: Env): Promise<void> =>
  new Promise((resolve, reject) => {
    spawn(program as string, args, { stdio: 'inherit', env })
      .on('error', reject)
      .on('exit', () => resolve());
  });

/** The client that shows this terminal: of those in its session the one that was used last. */
const clientOf = async (socket: string, env: Env): Promise<string | null> => {
  const format = '#{client_activity}\t#{client_name}\t#{session_id}';
  const { stdout } = await tmux(socket, ['list-clients', '-F', format]);
  const session = `$${(env.TMUX ?? '').split(',')[2]}`;
  const clients = stdout
    .split('\n')
    .map(row => row.split('\t'))
    .filter(row => row[2] === session)
    .sort((a, b) => Number(b[0]) - Number(a[0]));
  return clients[0]?.[1] ?? null;
};
