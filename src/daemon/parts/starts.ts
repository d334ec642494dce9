/** Starts sessions, and finds out what became of those that an earlier daemon was about to start. */
import { type Cli, findClis } from '../../claude/find-cli.ts';
import { withoutMarkers } from '../../claude/markers.ts';
import { ManagedSessions } from '../../hub/start/managed-sessions.ts';
import { sessionEnvironment, withoutSessionVariables } from '../../config/passed-variables.ts';
import { userHome } from '../../paths.ts';
import { defaultSocket } from '../../tmux/server/panes.ts';
import type { Core } from '../core.ts';

export interface StartDeps {
  /** Replaces the search for the CLI on this machine, in tests. */
  findCli?: (() => Promise<Cli | null>) | undefined;
}

export const openStarts = (
  { paths, env, config, loop, clock, dirs, log, hostServer }: Core,
  { findCli = async () => (await findClis({ env, configured: config.claude }))[0] ?? null }: StartDeps,
) => {
  const sessions = new ManagedSessions({
    paths,
    env: withoutSessionVariables(env, config.env.pass),
    variables: sessionEnvironment(withoutMarkers(env), config.env.pass),
    loop,
    clock,
    findCli,
    socket: config.tmuxSocket ?? defaultSocket(env),
    dirs,
    get projectDir() {
      return config.projectDir ?? userHome(env);
    },
    get permissions() {
      return config.permissions;
    },
    get hostCli() {
      return config.claude || 'claude';
    },
    isForeign: socket => hostServer.isForeign(socket),
    onError: log.error,
  });
  return { name: 'starts', sessions, start: () => sessions.recoverStarts() };
};
