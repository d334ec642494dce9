/** Move a tmux client to a pane, and back again. */
import { spawnSync } from 'node:child_process';
import { DroverError } from '../../contract/error.ts';
import type { Pane } from '../../contract/session.ts';
import type { Env } from '../../paths.ts';
import { tmuxQuote } from '../server/quote.ts';
import { tmux, tmuxEnv } from '../server/run.ts';

/** A client of a tmux server, and the pane it shows. */
export interface TmuxClient {
  socket: string;
  client: string;
  clientPid: string;
  pane: string;
  session: string;
}

/** Find the client that this command was run from; null outside tmux or when no client is attached. */
export const findTmuxClient = async (env: Env): Promise<TmuxClient | null> => {
  const socket = (env.TMUX ?? '').split(',').slice(0, -2).join(',');
  if (!socket) return null;
  // A popup passes its client; for a pane, tmux knows the client that was used last.
  const name = env.DROVER_CLIENT || (await readClientName(socket, env));
  const format = ['#{client_name}', '#{client_pid}', '#{pane_id}', '#{session_id}'].join('\t');
  const { stdout } = await tmux(socket, ['list-clients', '-F', format]);
  const rows = stdout.split('\n').map(line => line.split('\t'));
  const [client, clientPid, pane, session] = rows.find(([candidate]) => name && candidate === name) ?? [];
  return client && clientPid && pane && session ? { socket, client, clientPid, pane, session } : null;
};

const readClientName = async (socket: string, { TMUX, TMUX_PANE }: Env): Promise<string> =>
  (
    await tmux(socket, ['display-message', '-p', '#{client_name}'], { env: { TMUX, TMUX_PANE } })
  ).stdout.trim();

/** Check that the pane still exists on the same server, and return its window. */
export const checkPane = async (pane: Pane): Promise<{ window: string }> => {
  const format = '#{pid} #{pane_id} #{window_id}';
  const { stdout } = await tmux(pane.socket, ['display-message', '-p', '-t', pane.id, format]);
  const [pid, id, window = ''] = stdout.trim().split(' ');
  if (id !== pane.id || (pane.serverPid !== null && Number(pid) !== pane.serverPid))
    throw new DroverError('refused', `Pane ${pane.id} on ${pane.socket} no longer exists.`);
  return { window };
};

/** Move the client to a pane of its own server. */
export const jump = async (tmuxClient: TmuxClient, pane: Pane): Promise<void> => {
  await checkPane(pane);
  await batch(tmuxClient.socket, [
    ...(tmuxClient.pane === pane.id ? [] : [pushBack(tmuxClient, tmuxClient.pane)]),
    `switch-client -c ${tmuxQuote(tmuxClient.client)} -t ${pane.id}`,
  ]);
};

/** Link the window of a pane into the client's session, and show it. `back` unlinks it again. */
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
    pushBack(tmuxClient, `${tmuxClient.pane}!${tmuxClient.session}:${window}`),
    `link-window -a -s ${window} -t ${tmuxQuote(`${tmuxClient.session}:`)}`,
    `select-pane -t ${pane.id}`,
  ]);
};

/** Move the client back to its previous pane; null when there is none. */
export const goBack = async (tmuxClient: TmuxClient): Promise<string | null> => {
  const option = `@drover_back_${tmuxClient.clientPid}`;
  const [{ stdout: stack }, { stdout: panes }] = await Promise.all([
    tmux(tmuxClient.socket, ['show-options', '-sqv', option]),
    tmux(tmuxClient.socket, ['list-panes', '-a', '-F', '#{pane_id}']),
  ]);
  const alive = new Set(panes.split('\n'));
  const entries = parseBackStack(stack);
  const at = entries.findIndex(({ pane }) => alive.has(pane));
  const to = entries[at];
  const passed = to ? entries.slice(0, at + 1) : entries;
  const rest = entries.slice(passed.length).map(({ text }) => `${text} `);
  await batch(tmuxClient.socket, [
    `set-option -s ${option} ${tmuxQuote(rest.join(''))}`,
    ...(to ? [`switch-client -c ${tmuxQuote(tmuxClient.client)} -t ${to.pane}`] : []),
    ...passed.flatMap(({ linked }) => (linked ? [`unlink-window -t ${tmuxQuote(linked)}`] : [])),
  ]);
  return to?.pane ?? null;
};

/** Parse the entries of a back stack, newest first. A truncated last entry is ignored. */
const parseBackStack = (stack: string): { text: string; pane: string; linked: string | null }[] =>
  [...stack.matchAll(/((%\d+)(?:!(\S+))?) /g)].map(([, text = '', pane = '', linked = null]) => ({
    text,
    pane,
    linked,
  }));

/** Return the command that attaches a terminal to a pane of another server. */
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
 * Attach this terminal to tmux until the person detaches; returns tmux's exit code. It blocks this process, so that it does
 * not read keys that are meant for tmux.
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

/** Remember an entry on the client's back stack. */
const pushBack = ({ clientPid }: TmuxClient, entry: string): string =>
  `set-option -sF @drover_back_${clientPid} ${tmuxQuote(`${entry} #{=400:@drover_back_${clientPid}}`)}`;

const batch = async (socket: string, lines: string[]): Promise<void> => {
  const { error } = await tmux(socket, ['source-file', '-'], { input: `${lines.join('\n')}\n` });
  if (error) throw new DroverError('failed', error);
};
