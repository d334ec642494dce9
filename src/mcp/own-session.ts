/**
 * The session that this server runs in. A model must not answer, message, interrupt or stop its own session through Drover:
 * it would approve its own requests, or talk to itself.
 */
import { DroverError } from '../contract/error.ts';
import { ownSessionError } from '../contract/inside.ts';
import type { Session } from '../contract/session.ts';
import { insideSession, unknownSessionName } from '../inside-session.ts';
import type { Env, Paths } from '../paths.ts';
import { lineage } from '../platform/processes.ts';
import type { Daemon } from './daemon.ts';

export interface Own {
  id: string;
  /** This process and its ancestors, among them the Claude Code that started it. */
  pids: number[];
}

/** Reads it from the session file of an ancestor at each call: after `/clear` the environment still has the old id. */
export const ownSession = (env: Env, paths: Paths): Own | null => {
  const pids = lineage(process.pid);
  const id = insideSession(env, paths, pids);
  return id === null ? null : { id, pids };
};

/** Throws when this server runs in a session that it cannot identify: it could not tell its own session from others. */
export const refuseUnidentified = (own: Own | null): void => {
  if (own?.id === unknownSessionName)
    throw new DroverError(
      'nested',
      'This MCP server runs in a Claude Code session that it cannot identify, so it only reads.',
      'Start Claude Code with the same HOME and CLAUDE_CONFIG_DIR as Drover.',
    );
};

/** Throws when a session is the one that this server runs in, also before or after a `/clear`. */
export const refuseOwn = async (own: Own | null, target: Session, daemon: Daemon): Promise<void> => {
  if (own !== null && (await isOwn(own, target, daemon))) throw ownSessionError(target.id);
};

const isOwn = async ({ id, pids }: Own, target: Session, daemon: Daemon): Promise<boolean> => {
  if (target.id === id || target.next === id) return true;
  if (target.pid !== null && target.origin === null && target.host === null && pids.includes(target.pid))
    return true;
  return (await newestOf(target.id, target.next, daemon)) === (await newestOf(id, undefined, daemon));
};

/** Follows a session to its newest successor. A session that the daemon does not know is the newest. */
const newestOf = async (
  id: string,
  known: string | null | undefined,
  daemon: Daemon,
  steps = 100,
): Promise<string> => {
  const next = known === undefined ? await nextOf(id, daemon) : known;
  return next === null || steps === 0 ? id : newestOf(next, undefined, daemon, steps - 1);
};

const nextOf = async (id: string, daemon: Daemon): Promise<string | null> => {
  try {
    return (await daemon.call('readSession', { id })).next;
  } catch (error) {
    if (error instanceof DroverError && ['no_session', 'bad_id'].includes(error.code)) return null;
    throw error;
  }
};
