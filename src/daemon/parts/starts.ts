/** Starts sessions, and finds out what became of those that an earlier daemon was about to start. */
import { type Cli, findClis } from '../../claude/find-cli.ts';
import { ManagedSessions } from '../../hub/start/managed-sessions.ts';
import { defaultSocket } from '../../tmux/server/panes.ts';
import type { Core } from '../core.ts';

export const openStarts = (
  { paths, env, config, loop, clock, dirs, log }: Core,
  findCli: () => Promise<Cli | null> = async () =>
    (await findClis({ env, configured: config.claude }))[0] ?? null,
) => {
  const sessions = new ManagedSessions({
    paths,
    env,
    loop,
    clock,
    findCli,
    socket: config.tmuxSocket ?? defaultSocket(env),
    dirs,
    onError: log.error,
  });
  return { name: 'starts', sessions, start: () => sessions.recoverStarts() };
};
