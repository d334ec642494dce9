/** Taking a person to a pane: the client that asked moves, and knows the way back. */
import { spawnSync } from 'node:child_process';
import { DroverError } from '../../contract/error.ts';
import type { Pane } from '../../contract/session.ts';
import type { Env } from '../../paths.ts';
import { quoted } from '../server/quote.ts';
import { tmux, tmuxEnv } from '../server/run.ts';

/** Who asks, inside tmux: a client of a server, and where it is now. */
export interface TmuxClient {
  socket: string;
  client: string;
  clientPid: string;
  pane: string;
  session: string;
}

/** Who asks; null outside tmux, or where nobody is attached. */
export const tmuxClientOf = async (env: Env): Promise<TmuxClient | null> => {
  const socket = (env.TMUX ?? '').split(',').slice(0, -2).join(',');
  if (!socket) return null;
  // A popup says whose it is; for a pane tmux knows the client that was used last.
  const name = env.DROVER_CLIENT || (await clientOf(socket, env));
  const format = ['#{client_name}', '#{client_pid}', '#{pane_id}', '#{session_id}'].join('\t');
  const { stdout } = await tmux(socket, ['list-clients', '-F', format]);
  const rows = stdout.split('\n').map(line => line.split('\t'));
  const [client, clientPid, pane, session] = rows.find(([candidate]) => name && candidate === name) ?? [];
  return client && clientPid && pane && session ? { socket, client, clientPid, pane, session } : null;
};

const clientOf = async (socket: string, { TMUX, TMUX_PANE }: Env): Promise<string> =>
  (
    await tmux(socket, ['display-message', '-p', '#{client_name}'], { env: { TMUX, TMUX_PANE } })
  ).stdout.trim();

/** Whether the pane is there, on the very server it was seen on. */
export const checkPane = async (pane: Pane): Promise<{ window: string }> => {
  const format = '#{pid} #{pane_id} #{window_id}';
  const { stdout } = await tmux(pane.socket, ['display-message', '-p', '-t', pane.id, format]);
  const [pid, id, window = ''] = stdout.trim().split(' ');
  if (id !== pane.id || (pane.serverPid !== null && Number(pid) !== pane.serverPid))
    throw new DroverError('refused', `Its pane ${pane.id} is gone from ${pane.socket}.`);
  return { window };
};

/** Moves the client that asked to a pane of its own server. */
export const jump = async (tmuxClient: TmuxClient, pane: Pane): Promise<void> => {
  await checkPane(pane);
  await batch(tmuxClient.socket, [
    ...(tmuxClient.pane === pane.id ? [] : [pushed(tmuxClient, tmuxClient.pane)]),
    `switch-client -c ${quoted(tmuxClient.client)} -t ${pane.id}`,
  ]);
};

/** Shows the window of a pane in the session of the client that asked, beside what is there; `back` takes it away again. */
export const link = async (tmuxClient: TmuxClient, pane: Pane): Promise<void> => {
  const { window } = await checkPane(pane);
  const { stdout } = await tmux(tmuxClient.socket, [
    'list-windows',
    '-t',
    tmuxClient.session,
    '-F',
    '#{window_id}',
  ]);
  if (stdout.split('\n').includes(window)) return jump(tmuxClient, pane);
  await batch(tmuxClient.socket, [
    pushed(tmuxClient, `${tmuxClient.pane}!${tmuxClient.session}:${window}`),
    `link-window -a -s ${window} -t ${quoted(`${tmuxClient.session}:`)}`,
    `select-pane -t ${pane.id}`,
  ]);
};

/** Back to where the client came from; null when there is nothing to go back to. */
export const back = async (tmuxClient: TmuxClient): Promise<string | null> => {
  const option = `@drover_back_${tmuxClient.clientPid}`;
  const [{ stdout: stack }, { stdout: panes }] = await Promise.all([
    tmux(tmuxClient.socket, ['show-options', '-sqv', option]),
    tmux(tmuxClient.socket, ['list-panes', '-a', '-F', '#{pane_id}']),
  ]);
  const alive = new Set(panes.split('\n'));
  const entries = wayBack(stack);
  const at = entries.findIndex(({ pane }) => alive.has(pane));
  const to = entries[at];
  const passed = to ? entries.slice(0, at + 1) : entries;
  const rest = entries.slice(passed.length).map(({ text }) => `${text} `);
  await batch(tmuxClient.socket, [
    `set-option -s ${option} ${quoted(rest.join(''))}`,
    ...(to ? [`switch-client -c ${quoted(tmuxClient.client)} -t ${to.pane}`] : []),
    ...passed.flatMap(({ linked }) => (linked ? [`unlink-window -t ${quoted(linked)}`] : [])),
  ]);
  return to?.pane ?? null;
};

/** The entries of a stack, newest first; what was cut off at its end is none. */
export const wayBack = (stack: string): { text: string; pane: string; linked: string | null }[] =>
  [...stack.matchAll(/((%\d+)(?:!(\S+))?) /g)].map(([, text = '', pane = '', linked = null]) => ({
    text,
    pane,
    linked,
  }));

/** The command that takes a terminal to a pane of another server. */
export const attachCommand = ({ socket, id }: Pane): string[] => [
  'tmux',
  '-u',
  '-S',
  socket,
  'attach-session',
  '-t',
  id,
];

/**
 * Gives this terminal to tmux until the person leaves it; tmux's own exit code. Meanwhile this process stands still, so
 * that it does not read what is typed for tmux.
 */
export const attach = (pane: Pane, env: Env): number => {
  const [program = '', ...args] = attachCommand(pane);
  const { status, error } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...tmuxEnv(), HOME: env.HOME, TERM: env.TERM, SHELL: env.SHELL },
  });
  if (error) throw new DroverError('failed', `tmux: ${error.message}`);
  return status ?? 1;
};

const pushed = ({ clientPid }: TmuxClient, entry: string): string =>
  `set-option -sF @drover_back_${clientPid} ${quoted(`${entry} #{=400:@drover_back_${clientPid}}`)}`;

const batch = async (socket: string, lines: string[]): Promise<void> => {
  const { error } = await tmux(socket, ['source-file', '-'], { input: `${lines.join('\n')}\n` });
  if (error) throw new DroverError('failed', error);
};
