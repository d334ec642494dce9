/** The tmux server of the demo: a session for each program, and a client attached to it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Env } from '../../paths.ts';
import { tmuxQuote } from './quote.ts';
import { tmux, tmuxEnv } from './run.ts';

export interface DemoSession {
  /** The name of its tmux session. */
  name: string;
  /** A shell script, run by `sh`. */
  script: string;
}

/** Start the server with this configuration only, and all sessions at once. */
export const startDemoServer = async (
  socket: string,
  conf: string,
  sessions: DemoSession[],
  { env, columns, rows }: { env: Env; columns: number; rows: number },
): Promise<void> => {
  const size = ['-x', String(columns), '-y', String(rows)];
  const create = sessions.flatMap(({ name, script }, index) => [
    ...(index > 0 ? [';'] : []),
    'new-session',
    '-d',
    ...size,
    '-s',
    name,
    '-n',
    name,
    'sh',
    script,
  ]);
  const { error } = await tmux(socket, ['-f', conf, ...create], { env, cwd: env.HOME ?? '/' });
  if (error) throw new Error(error);
};

/** Write the demo's tmux.conf, which the lines of `drover setup --tmux` are added to: title, hints and a clean status line. */
export const demoConf = (hints: string, page: string): string =>
  [
    `bind-key -N ${tmuxQuote('the page')} o display-popup -w 90% -h 8 -E ${tmuxQuote(`${page}; read _`)}`,
    'set-option -g status-left-length 100',
    `set-option -g status-left ${tmuxQuote(` #[bold]drover demo#[default]  ${hints}  `)}`,
    'set-option -g status-right ""',
    'set-option -g window-status-format ""',
    'set-option -g window-status-current-format ""',
    'set-option -g pane-border-format " #{session_name} "',
    'set-option -g status-interval 0',
    'set-option -s escape-time 20',
    '',
  ].join('\n');

/** Attach this terminal to a session until the person detaches or the server exits. */
export const attachTo = async (socket: string, name: string, env: Env): Promise<void> => {
  const child = spawn('tmux', ['-u', '-S', socket, 'attach-session', '-t', `=${name}`], {
    stdio: 'inherit',
    env: { ...tmuxEnv(), TERM: env.TERM, COLORTERM: env.COLORTERM },
  });
  await once(child, 'exit');
};
