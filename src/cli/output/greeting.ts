/** What `npm start` and `drover up --foreground` say: where the daemon listens, what it found, what to do next. */
import { findClis } from '../../claude/find-cli.ts';
import type { Daemon } from '../../daemon/run.ts';
import { enabledPlugins, registered } from '../../hook/install/registered.ts';
import { tmuxVersion } from '../../tmux/server/version.ts';
import type { Call } from '../verb.ts';

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
  return [
    `drover listens on ${daemon.url}${daemon.moved ? ` (port ${wanted} is taken by another program)` : ''}`,
    `  home      ${paths.home} (token in ${paths.token})`,
    `  tmux      ${tmux ?? 'not found: install tmux 3.2 or newer, sessions are shown in it'}`,
    `  claude    ${clis.length ? clis.map(cli => `${cli.version ?? 'unknown version'} at ${cli.path}`).join(', ') : 'not found on PATH'}`,
    `  hooks     ${hooks.length ? `registered in ${hooks.join(', ')}` : 'not registered'}`,
    `  sessions  ${daemon.sessions.live} live, ${daemon.sessions.known} known`,
    '',
    hooks.length
      ? 'Next: start claude in tmux; `drover events -f` shows what it does. Ctrl-C stops the daemon.'
      : 'Next: `drover setup` registers the hooks, then start claude in tmux. Ctrl-C stops the daemon.',
  ];
};
