/** The checks behind `drover wake test` and `drover doctor`: each step from a session to an agent. */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { WakeAgent, WakeTest } from '../../contract/wake.ts';
import type { Env } from '../../paths.ts';
import type { Folded } from '../../session/memory.ts';
import { listPanes, listOwnSockets } from '../../tmux/server/panes.ts';
import { destinationOf } from '../deliver/deliver.ts';
import { readSecret } from '../deliver/webhook.ts';
import { isSessionAgent } from '../outbox/hops.ts';
import { tmuxNameOf } from './parse-registry.ts';
import { type SessionLookup, successorOf } from './successor.ts';
import type { Wakes } from '../outbox/wakes.ts';
import { shortId } from '../../contract/short-id.ts';

type Check = WakeTest['checks'][number];

export interface CheckDeps {
  wakes: Wakes;
  sessionIndex: SessionLookup & { live: () => Folded[] };
  env: Env;
  /** Which sessions programs may type into. */
  drive: 'managed' | 'all' | 'none';
}

/** Check an agent. With `send`, also send a test message when its entry and destination are usable. */
export const checkAgent = async (agent: WakeAgent, deps: CheckDeps, send: boolean): Promise<WakeTest> => {
  const checks = [
    entry(agent),
    destination(agent, deps),
    await tmuxSession(agent, deps),
    ...sessions(agent, deps),
    ...checkMode(agent),
  ];
  const blocked = checks.some(({ ok, name }) => ok === false && (name === 'entry' || name === 'destination'));
  if (send && !blocked) checks.push(await message(agent, deps.wakes));
  return { checks };
};

const entry = ({ inactive, id }: WakeAgent): Check => ({
  name: 'entry',
  ok: inactive === null,
  says: inactive ?? `${id} is complete`,
  fix:
    inactive === 'paused'
      ? `\`drover wake resume ${id}\``
      : 'add the missing field to its entry in config.json',
});

const destination = (agent: WakeAgent, deps: CheckDeps): Check => {
  const name = 'destination';
  const to = destinationOf(agent);
  if (!to) return { name, ok: false, says: 'none', fix: 'set openclaw_session_id or deliver in its entry' };
  if ('session' in to) return sessionDestination(to.session, deps);
  if ('webhook' in to) {
    try {
      if (to.secret_file) readSecret(to.secret_file);
      return { name, ok: true, says: `${to.webhook}, ${to.secret_file ? 'signed' : 'not signed'}` };
    } catch (error) {
      return { name, ok: false, says: (error as Error).message, fix: 'correct the secret file' };
    }
  }
  const program = 'openclaw' in to ? 'openclaw' : (to.command[0] as string);
  const file = findProgram(program, deps.env);
  return {
    name,
    ok: file !== null,
    says: file ?? `${program} is not on the daemon's PATH`,
    fix: `install ${program}, or run \`drover restart\` in a shell that has it on its PATH`,
  };
};

const sessionDestination = (prefix: string, { sessionIndex, drive }: CheckDeps): Check => {
  const name = 'destination';
  const session = successorOf(sessionIndex, prefix);
  if (!session || session.state === 'ended')
    return { name, ok: false, says: `${prefix} is not live`, fix: 'name a live session: `drover ls`' };
  const may = drive === 'all' || (drive === 'managed' && (session.managed || session.driven));
  return {
    name,
    ok: may,
    says: may ? `session ${session.id}` : `Drover may not type into ${session.id}: \`drive\` is "${drive}"`,
    fix: 'start it with `drover new`, allow it with `drover drive`, or set `drive` to "all" in config.json',
  };
};

const tmuxSession = async ({ entry }: WakeAgent, { env, sessionIndex }: CheckDeps): Promise<Check> => {
  const name = 'tmux session';
  const wanted = tmuxNameOf(entry);
  if (wanted === null) return { name, ok: null, says: 'not set' };
  const known = sessionIndex.live().flatMap(({ pane }) => pane?.socket ?? []);
  const sockets = [...new Set([...listOwnSockets(env), ...known])];
  const panes = (await Promise.all(sockets.map(listPanes))).flatMap(found => found ?? []);
  const there = panes.some(({ session }) => session === wanted);
  return {
    name,
    ok: there,
    says: there ? `${wanted} exists` : `there is no tmux session ${JSON.stringify(wanted)}`,
    fix: 'use the exact name as `tmux ls` shows it',
  };
};

const sessions = (agent: WakeAgent, { wakes, sessionIndex }: CheckDeps): Check[] => {
  const watched = sessionIndex
    .live()
    .filter(session => wakes.registry.agentsOf(session).some(({ id }) => id === agent.id));
  const silent = watched.filter(({ hooks }) => hooks === 'silent');
  if (watched.length === 0)
    return [{ name: 'sessions', ok: null, says: 'watches no live session right now' }];
  return [
    {
      name: 'sessions',
      ok: silent.length === 0,
      says: silent.length
        ? `hooks of ${silent.map(({ id }) => shortId(id)).join(', ')} do not arrive`
        : watched.map(({ id, state }) => `${shortId(id)} ${state}`).join(', '),
      fix: 'restart the session: it does not load hooks that were registered after its start; then run `drover doctor`',
    },
  ];
};

/** Describe how long a hook waits, and the limits that prevent wake loops. */
const checkMode = (agent: WakeAgent): Check[] => {
  const { settings } = agent;
  const says = isSessionAgent(agent)
    ? `a session: nothing waits for its answer; wakes after more than ${settings.max_hops} hops are withheld`
    : settings.hook_mode === 'bidirectional'
      ? `bidirectional: a hook waits up to ${settings.answer_seconds} s; blocks: ${settings.max_blocks ?? 'any number'} a turn, ${settings.blocks_per_hour ?? 'any number'} an hour`
      : 'async: no hook waits for it';
  return [{ name: 'mode', ok: true, says }];
};

const message = async (agent: WakeAgent, wakes: Wakes): Promise<Check> => {
  const startedAt = performance.now();
  const { error } = await wakes.test(agent);
  const took = `${Math.round(performance.now() - startedAt)} ms`;
  return {
    name: 'message',
    ok: error === null,
    says: error ?? `a test message arrived in ${took}`,
    fix: 'run the same command by hand and read its output',
  };
};

const findProgram = (program: string, { PATH = '' }: Env): string | null => {
  const candidates = isAbsolute(program) ? [program] : PATH.split(delimiter).map(dir => join(dir, program));
  return (
    candidates.find(file => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }) ?? null
  );
};
