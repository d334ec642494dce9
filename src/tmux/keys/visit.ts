/** Going to a pane because a person asked for it, from another pane or from outside tmux. */
import { spawn } from 'node:child_process';
import type { Env } from '../../paths.ts';
import type { Here } from '../server/pane-session.ts';
import { tmux } from '../server/run.ts';

/** The command that shows a pane to whoever looks at `from`. */
export const visitCommand = (pane: Here, client?: string): string[] => [
  'tmux',
  '-S',
  pane.socket,
  'switch-client',
  ...(client ? ['-c', client] : []),
  '-t',
  pane.pane,
];

/** Takes the client that looks at `from` to another pane of its server; says what went wrong, or null. */
export const visit = async (pane: Here, from: Here): Promise<string | null> => {
  const asked = await tmux(pane.socket, ['display-message', '-p', '-t', from.pane, '#{session_id}']);
  const format = '#{session_id} #{client_activity} #{client_name}';
  const { stdout } = await tmux(pane.socket, ['list-clients', '-F', format]);
  const client = stdout
    .split('\n')
    .map(line => /^(\S+) (\d+) (.+)$/.exec(line))
    .filter(found => found !== null)
    .filter(found => found[1] === asked.stdout.trim())
    .sort((a, b) => Number(b[2]) - Number(a[2]))[0]?.[3];
  if (!client) return 'nobody looks at this pane';
  const [, , , ...words] = visitCommand(pane, client);
  return (await tmux(pane.socket, words)).error;
};

/** Attaches this terminal to the session of a pane, with the pane in front; resolves with tmux's exit code. */
export const attach = async (pane: Here, env: Env): Promise<number> => {
  const { stdout } = await tmux(pane.socket, ['display-message', '-p', '-t', pane.pane, '#{session_id}']);
  const select = ['select-window', '-t', pane.pane, ';', 'select-pane', '-t', pane.pane];
  const words = ['-u', '-S', pane.socket, ...select, ';', 'attach-session', '-t', stdout.trim()];
  return new Promise((resolve, reject) => {
    const child = spawn('tmux', words, { stdio: 'inherit', env });
    child.once('error', reject);
    child.once('close', code => resolve(code ?? 1));
  });
};
