/** The start message of `npm start` and `drover up --foreground`: where it listens, what it found, what to do next. */
import { findClis } from '../../claude/find-cli.ts';
import type { Daemon } from '../../daemon/run.ts';
import { enabledPlugins, registered } from '../../hook/install/registered.ts';
import { tmuxVersion } from '../../tmux/server/version.ts';
import type { Call } from '../verb.ts';
import { ownCommand } from './own-command.ts';

export const greeting = async (
  call: Call,
  daemon: Daemon,
  wanted: number,
  configured: string | undefined,
): Promise<string[]> => {
  const { env, paths } = call;
  const [clis, tmux] = await Promise.all([findClis({ env, configured }), tmuxVersion(env)]);
  const hooks = [
    ...registered(env, call.cwd).map(({ file }) => file),
    ...enabledPlugins(env, call.cwd).map(id => `the plugin ${id}`),
  ];
  const drover = ownCommand(env, call.cwd);
  return [
    `drover is listening on ${daemon.url}${daemon.moved ? ` (port ${wanted} is used by another program)` : ''}`,
    `  home      ${paths.home} (token in ${paths.token})`,
    `  tmux      ${tmux ?? 'not found: install tmux 3.2 or newer'}`,
    `  claude    ${clis.length ? clis.map(cli => `${cli.version ?? 'unknown version'} at ${cli.path}`).join(', ') : 'not found on PATH'}`,
    `  hooks     ${hooks.length ? `registered in ${hooks.join(', ')}` : 'not registered'}`,
    `  sessions  ${daemon.sessions.live} live, ${daemon.sessions.known} known`,
    '',
    hooks.length
      ? `Next: start claude in tmux. \`${drover}\` shows the board. Ctrl-C stops the daemon.`
      : `Next: \`${drover} setup\` in another terminal registers the hooks. Then start claude in tmux. Ctrl-C stops the daemon.`,
  ];
};
