/** Show a pane to a person, from another pane or from outside tmux. */
import { spawn } from 'node:child_process';
import type { Env } from '../../paths.ts';
import type { PaneAddress } from '../server/pane-session.ts';
import { tmux } from '../server/run.ts';

/** Return the command that shows a pane in a client. */
export const visitCommand = (pane: PaneAddress, client?: string): string[] => [
  'tmux',
  '-S',
  pane.socket,
  'switch-client',
  ...(client ? ['-c', client] : []),
  '-t',
  pane.pane,
];

/** Move the client that shows `from` to another pane of its server; returns an error, or null. */
export const visit = async (pane: PaneAddress, from: PaneAddress): Promise<string | null> => {
  const session = await tmux(pane.socket, ['display-message', '-p', '-t', from.pane, '#{session_id}']);
  const format = '#{session_id} #{client_activity} #{client_name}';
  const { stdout } = await tmux(pane.socket, ['list-clients', '-F', format]);
  const client = stdout
    .split('\n')
    .map(line => /^(\S+) (\d+) (.+)$/.exec(line))
    .filter(found => found !== null)
    .filter(found => found[1] === session.stdout.trim())
    .sort((a, b) => Number(b[2]) - Number(a[2]))[0]?.[3];
  if (!client) return 'no tmux client shows this pane';
  const [, , , ...args] = visitCommand(pane, client);
  return (await tmux(pane.socket, args)).error;
};

/** Attach this terminal to the session of a pane and show that pane; resolves with tmux's exit code. */
export const attach = async (pane: PaneAddress, env: Env): Promise<number> => {
  const { stdout } = await tmux(pane.socket, ['display-message', '-p', '-t', pane.pane, '#{session_id}']);
  const select = ['select-window', '-t', pane.pane, ';', 'select-pane', '-t', pane.pane];
  const args = ['-u', '-S', pane.socket, ...select, ';', 'attach-session', '-t', stdout.trim()];
  return new Promise((resolve, reject) => {
    const child = spawn('tmux', args, { stdio: 'inherit', env });
    child.once('error', reject);
    child.once('close', code => resolve(code ?? 1));
  });
};
