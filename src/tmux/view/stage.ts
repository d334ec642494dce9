/** A tmux server of a demo's own, with a session for each program, and a terminal given to it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Env } from '../../paths.ts';
import { quoted } from '../server/quote.ts';
import { tmux, tmuxEnv } from '../server/run.ts';

export interface Act {
  /** The name of its tmux session. */
  name: string;
  /** A shell script, run by `sh`. */
  script: string;
}

/** Starts the server with this configuration and no other, all sessions at once. */
export const startStage = async (
  socket: string,
  conf: string,
  acts: Act[],
  { env, columns, rows }: { env: Env; columns: number; rows: number },
): Promise<void> => {
  const size = ['-x', String(columns), '-y', String(rows)];
  const made = acts.flatMap(({ name, script }, index) => [
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
  const { error } = await tmux(socket, ['-f', conf, ...made], { env, cwd: env.HOME ?? '/' });
  if (error) throw new Error(error);
};

/** What a demo's server shows, for the lines of `drover setup --tmux` to add to: where one is, and the way out. */
export const stageLines = (words: string, page: string): string =>
  [
    `bind-key -N ${quoted('the page')} o display-popup -w 90% -h 8 -E ${quoted(`${page}; read _`)}`,
    'set-option -g status-left-length 100',
    `set-option -g status-left ${quoted(` #[bold]drover demo#[default]  ${words}  `)}`,
    'set-option -g status-right ""',
    'set-option -g window-status-format ""',
    'set-option -g window-status-current-format ""',
    'set-option -g pane-border-format " #{session_name} "',
    'set-option -g status-interval 0',
    'set-option -s escape-time 20',
    '',
  ].join('\n');

/** Gives this terminal to a session of the server until the person leaves it, or the server goes. */
export const attachTo = async (socket: string, name: string, env: Env): Promise<void> => {
  const child = spawn('tmux', ['-u', '-S', socket, 'attach-session', '-t', `=${name}`], {
    stdio: 'inherit',
    env: { ...tmuxEnv(), TERM: env.TERM, COLORTERM: env.COLORTERM },
  });
  await once(child, 'exit');
};
