/** Every link from a session to an agent, looked at one by one: what `drover wake test` and `drover doctor` say. */
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import type { WakeAgent, WakeTest } from '../../contract/wake.ts';
import type { Env } from '../../paths.ts';
import type { Folded } from '../../session/memory.ts';
import { listPanes, ownSockets } from '../../tmux/server/panes.ts';
import { destinationOf } from '../deliver/deliver.ts';
import { secretOf } from '../deliver/webhook.ts';
import { isTyped } from '../outbox/hops.ts';
import { tmuxNameOf } from './registry-text.ts';
import { type Known, successorOf } from './successor.ts';
import type { Wakes } from '../outbox/wakes.ts';

type Check = WakeTest['checks'][number];

export interface Checked {
  wakes: Wakes;
  sessionIndex: Known & { live: () => Folded[] };
  env: Env;
  /** Which sessions programs may type into. */
  drive: 'managed' | 'all' | 'none';
}

/** `send`: a test message goes out when nothing stands in its way. */
export const checkAgent = async (agent: WakeAgent, parts: Checked, send: boolean): Promise<WakeTest> => {
  const checks = [
    entry(agent),
    destination(agent, parts),
    await tmuxSession(agent, parts),
    ...sessions(agent, parts),
    ...mode(agent),
  ];
  const blocked = checks.some(({ ok, name }) => ok === false && (name === 'entry' || name === 'destination'));
  if (send && !blocked) checks.push(await message(agent, parts.wakes));
  return { checks };
};

const entry = ({ inactive, id }: WakeAgent): Check => ({
  name: 'entry',
  ok: inactive === null,
  says: inactive ?? `${id} is complete`,
  fix:
    inactive === 'paused'
      ? `\`drover wake resume ${id}\``
      : 'add what is missing to its entry in config.json',
});

const destination = (agent: WakeAgent, parts: Checked): Check => {
  const name = 'destination';
  const to = destinationOf(agent);
  if (!to) return { name, ok: false, says: 'none', fix: 'give it openclaw_session_id, or deliver' };
  if ('session' in to) return sessionDestination(to.session, parts);
  if ('webhook' in to) {
    try {
      if (to.secret_file) secretOf(to.secret_file);
      return { name, ok: true, says: `${to.webhook}, ${to.secret_file ? 'signed' : 'not signed'}` };
    } catch (error) {
      return { name, ok: false, says: (error as Error).message, fix: 'mend the secret file' };
    }
  }
  const program = 'openclaw' in to ? 'openclaw' : (to.command[0] as string);
  const file = findProgram(program, parts.env);
  return {
    name,
    ok: file !== null,
    says: file ?? `${program} is not on the PATH of the daemon`,
    fix: `install ${program}, or \`drover restart\` where it is on your PATH`,
  };
};

const sessionDestination = (prefix: string, { sessionIndex, drive }: Checked): Check => {
  const name = 'destination';
  const session = successorOf(sessionIndex, prefix);
  if (!session || session.state === 'ended')
    return { name, ok: false, says: `${prefix} is not live`, fix: 'name a session that runs' };
  const may = drive === 'all' || (drive === 'managed' && (session.managed || session.driven));
  return {
    name,
    ok: may,
    says: may ? `session ${session.id}` : `${session.id} may not be typed into: \`drive\` is "${drive}"`,
    fix: 'start it by `drover new`, let it by `drover drive`, or set `drive` to "all" in config.json',
  };
};

const tmuxSession = async ({ entry }: WakeAgent, { env, sessionIndex }: Checked): Promise<Check> => {
  const name = 'tmux session';
  const wanted = tmuxNameOf(entry);
  if (wanted === null) return { name, ok: null, says: 'none is named' };
  const known = sessionIndex.live().flatMap(({ pane }) => pane?.socket ?? []);
  const sockets = [...new Set([...ownSockets(env), ...known])];
  const panes = (await Promise.all(sockets.map(listPanes))).flatMap(found => found ?? []);
  const there = panes.some(({ session }) => session === wanted);
  return {
    name,
    ok: there,
    says: there ? `${wanted} is there` : `there is no tmux session ${JSON.stringify(wanted)}`,
    fix: 'the name has to be exact: `tmux ls`',
  };
};

const sessions = (agent: WakeAgent, { wakes, sessionIndex }: Checked): Check[] => {
  const watched = sessionIndex
    .live()
    .filter(session => wakes.registry.agentsOf(session).some(({ id }) => id === agent.id));
  const silent = watched.filter(({ hooks }) => hooks === 'silent');
  if (watched.length === 0) return [{ name: 'sessions', ok: null, says: 'it watches no live session now' }];
  return [
    {
      name: 'sessions',
      ok: silent.length === 0,
      says: silent.length
        ? `hooks of ${silent.map(({ id }) => id.slice(0, 8)).join(', ')} are not reaching us`
        : watched.map(({ id, state }) => `${id.slice(0, 8)} ${state}`).join(', '),
      fix: 'start the session again: hooks that were registered later do not count for it; then `drover doctor`',
    },
  ];
};

/** How long a hook waits, and what keeps it from going in circles. */
const mode = (agent: WakeAgent): Check[] => {
  const { settings } = agent;
  const says = isTyped(agent)
    ? `told and not waited for; what is more than ${settings.max_hops} hops away is withheld`
    : settings.hook_mode === 'bidirectional'
      ? `bidirectional: a hook waits up to ${settings.answer_seconds} s; blocks: ${settings.max_blocks} a turn, ${settings.blocks_per_hour} an hour`
      : 'async: nothing waits for it';
  return [{ name: 'mode', ok: true, says }];
};

const message = async (agent: WakeAgent, wakes: Wakes): Promise<Check> => {
  const began = performance.now();
  const { error } = await wakes.test(agent);
  const took = `${Math.round(performance.now() - began)} ms`;
  return {
    name: 'message',
    ok: error === null,
    says: error ?? `a test message arrived in ${took}`,
    fix: 'run the same by hand and read what it says',
  };
};

const findProgram = (program: string, { PATH = '' }: Env): string | null => {
  const places = isAbsolute(program) ? [program] : PATH.split(delimiter).map(dir => join(dir, program));
  return (
    places.find(file => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }) ?? null
  );
};
