/** `drover wake`: manages the agents that sessions wake. Edits config.json, which the daemon watches. */
import { chmodSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { call as ask } from '../../client/call.ts';
import { ensureDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import { editFile } from '../../hook/install/edit-file.ts';
import {
  addAgent,
  enableAgent,
  followRegistry,
  importAgents,
  type Imported,
  removeAgent,
  unfollowRegistry,
} from '../../wake/registry/edit-registry.ts';
import { problemOf } from '../../wake/registry/followed-registry.ts';
import { parseRegistry } from '../../wake/registry/parse-registry.ts';
import { hookChecks } from '../setup/checks.ts';
import { clockTime, line } from '../output/format.ts';
import { printChecks } from '../output/print-checks.ts';
import { agentChecks } from '../setup/wake-checks.ts';
import { namedSettings } from '../setup/wake-settings.ts';
import { type Call, flag, list, text } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const [what = 'ls', name] = call.args;
  switch (what) {
    case 'ls':
      return listAgents(call);
    case 'log':
      return log(call);
    case 'import':
      return importFile(call, requiredArg(call, name, 'file'));
    case 'follow':
      return follow(call, resolve(call.cwd, requiredArg(call, name, 'file')));
    case 'unfollow':
      return unfollow(call, resolve(call.cwd, requiredArg(call, name, 'file')));
    case 'add':
      return add(call, requiredArg(call, name, 'agent'));
    case 'rm':
      return change(
        call,
        before => removeAgent(before, call.paths.config, requiredArg(call, name, 'agent')),
        'removed',
      );
    case 'pause':
    case 'resume':
      return change(
        call,
        before => enableAgent(before, call.paths.config, requiredArg(call, name, 'agent'), what === 'resume'),
        what === 'resume' ? 'resumed' : 'paused',
      );
    case 'test':
      return test(call, requiredArg(call, name, 'agent'));
    default:
      throw new DroverError(
        'usage',
        `drover wake: unknown action ${JSON.stringify(what)}.`,
        'See `drover wake --help`.',
      );
  }
};

const requiredArg = (call: Call, arg: string | undefined, what: string): string => {
  if (!arg)
    throw new DroverError(
      'usage',
      `drover wake ${call.args[0]}: the ${what} is missing.`,
      'See `drover wake --help`.',
    );
  return arg;
};

const add = (call: Call, id: string): number => {
  const webhook = text(call, 'webhook');
  const secret = text(call, 'secret-file');
  const session = text(call, 'to-session');
  const ways = [
    ...(webhook ? [{ webhook, ...(secret && { secret_file: resolve(call.cwd, secret) }) }] : []),
    ...(session ? [{ session }] : []),
    ...(call.rest.length ? [{ command: call.rest }] : []),
  ];
  if (ways.length > 1 || (ways.length && text(call, 'openclaw')))
    throw new DroverError('usage', 'drover wake add: give only one way to deliver.');
  const project = text(call, 'project');
  const entry = {
    agent_id: id,
    tmux_session_name: text(call, 'tmux'),
    project: project && resolve(call.cwd, project),
    sessions: list(call, 'session').length ? list(call, 'session') : undefined,
    parent: text(call, 'parent'),
    origins: list(call, 'origin').length ? list(call, 'origin') : undefined,
    openclaw_session_id: text(call, 'openclaw'),
    deliver: ways[0],
  };
  const named = namedSettings(list(call, 'set'), text(call, 'mode'));
  const plain = JSON.parse(JSON.stringify(entry)) as typeof entry;
  let kept: string[] = [];
  return change(
    call,
    before => {
      const edited = addAgent(
        before,
        call.paths.config,
        { ...plain, ...(Object.keys(named).length && { hook_settings: named }) },
        flag(call, 'replace'),
      );
      kept = edited.kept;
      return checked(call, edited.text, id);
    },
    'added',
    () => kept,
  );
};

/** Throws if the new entry would not work, before anything is written. */
const checked = (call: Call, after: string, id: string): string => {
  const { agents, problems } = parseRegistry(after);
  if (agents.some(agent => agent.id === id)) return after;
  const [problem] = problems.slice(-1);
  throw new DroverError(
    'usage',
    `${call.paths.config} was not changed: ${problem?.where} ${problem?.reason}`,
  );
};

/** Edits config.json. `kept` names the settings that a replaced entry keeps. */
const change = (
  call: Call,
  edit: (before: string) => string,
  done: string,
  kept: () => string[] = () => [],
): number => {
  const after = editConfig(call, edit);
  const [, id] = call.args;
  const agent = parseRegistry(after ?? '').agents.find(one => one.id === id);
  if (flag(call, 'json')) {
    call.out(JSON.stringify({ agent_id: id, done, inactive: agent?.inactive ?? null, kept: kept() }));
    return 0;
  }
  call.out(`${id} ${done}${agent?.inactive && agent.inactive !== done ? `, ${agent.inactive}` : ''}`);
  if (kept().length) call.out(`kept settings: ${kept().join(', ')}`);
  return 0;
};

const importFile = (call: Call, file: string): number => {
  const registry = readJson(resolve(call.cwd, file));
  let result: Imported = { text: '', added: [], kept: [], settings: { taken: [], kept: [] } };
  const edit = (before: string | null) => {
    result = importAgents(
      before?.trim() ? before : '{}\n',
      call.paths.config,
      registry,
      flag(call, 'replace'),
    );
    return result.text;
  };
  if (flag(call, 'dry-run')) edit(readOr(call.paths.config));
  else {
    editFile(call.paths.config, edit);
    chmodSync(call.paths.config, 0o600);
  }
  const { agents, problems } = parseRegistry(result.text);
  const { added, kept, settings } = result;
  const inactive = agents.filter(agent => agent.inactive !== null && added.includes(agent.id));
  if (flag(call, 'json')) call.out(JSON.stringify({ added, kept, settings, problems }));
  else {
    if (flag(call, 'dry-run')) call.out(result.text.trimEnd());
    call.out(`imported: ${added.join(', ') || 'none'}`);
    if (kept.length) call.out(`not changed: ${kept.join(', ')} (use --replace)`);
    if (settings.taken.length) call.out(`global settings: ${settings.taken.join(', ')}`);
    if (settings.kept.length) call.out(`settings not changed: ${settings.kept.join(', ')} (use --replace)`);
    for (const { id, inactive: why } of inactive) call.out(`inactive: ${id}, ${why}`);
    for (const { line: at, where, reason } of problems) call.err(`line ${at}: ${where}: ${reason}`);
  }
  return problems.length ? 1 : 0;
};

/** Follows a registry that other programs maintain, from now on. */
const follow = (call: Call, file: string): number => {
  readJson(file);
  const unsafe = problemOf(file);
  if (unsafe) throw new DroverError('refused', `${file} ${unsafe}.`);
  editConfig(call, before => followRegistry(before, call.paths.config, file));
  const { agents, problems } = parseRegistry(readOr(file) ?? '', file);
  const ids = agents.map(({ id }) => id);
  if (flag(call, 'json')) call.out(JSON.stringify({ file, agents: ids, problems }));
  else {
    call.out(`follows ${file}: ${ids.join(', ') || 'no agents yet'}`);
    for (const { id, inactive } of agents) if (inactive) call.out(`inactive: ${id}, ${inactive}`);
    for (const { line: at, where, reason } of problems) call.err(`${file}:${at}: ${where}: ${reason}`);
  }
  return problems.length ? 1 : 0;
};

const unfollow = (call: Call, file: string): number => {
  editConfig(call, before => unfollowRegistry(before, call.paths.config, file));
  call.out(flag(call, 'json') ? JSON.stringify({ file, followed: false }) : `no longer follows ${file}`);
  return 0;
};

const editConfig = (call: Call, edit: (before: string) => string): string | null => {
  const { after } = editFile(call.paths.config, before => edit(before?.trim() ? before : '{}\n'));
  chmodSync(call.paths.config, 0o600);
  return after;
};

const readJson = (file: string): object => {
  const content = readOr(file);
  if (content === null) throw new DroverError('usage', `${file} cannot be read.`);
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    /* reported below */
  }
  throw new DroverError('usage', `${file} is not a JSON object.`);
};

const readOr = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};

const listAgents = async (call: Call): Promise<number> => {
  await ensureDaemon(call.paths, call.env);
  const found = await ask(call.paths, 'listWakes', { query: { last: 1 } });
  if (flag(call, 'json')) {
    call.out(JSON.stringify({ agents: found.agents, problems: found.problems }));
    return 0;
  }
  for (const {
    agent_id: id,
    inactive,
    file,
    watches,
    delivers,
    hook_mode: mode,
    sessions,
    pending,
    withheld,
    dropped,
    dead,
  } of found.agents) {
    const state = inactive ? `inactive: ${inactive}` : `${sessions.length} live`;
    const counts = [
      ...(pending ? [`${pending} waiting`] : []),
      ...(withheld ? [`${withheld} withheld`] : []),
      ...(dropped ? [`${dropped} dropped`] : []),
      ...(dead ? [`${dead} NOT DELIVERED`] : []),
    ];
    call.out(
      [
        line(id, 24).padEnd(16),
        [state, ...counts].join(', '),
        watches.join(', ') || '-',
        `-> ${delivers ?? '-'}`,
        mode,
        ...(file === null ? [] : [`from ${file}`]),
      ].join('  '),
    );
  }
  if (found.agents.length === 0)
    call.out('No agents. Add one with `drover wake add` or `drover wake import`.');
  for (const { file, line: at, where, reason } of found.problems)
    call.err(`${file ?? call.paths.config}:${at}: ${where}: ${reason}`);
  return found.problems.length ? 1 : 0;
};

const log = async (call: Call): Promise<number> => {
  const [session] = list(call, 'session');
  const query = {
    last: text(call, 'last') ?? 50,
    agent: text(call, 'agent') || undefined,
    session: session || undefined,
  };
  const { wakes } = await ask(call.paths, 'listWakes', { query });
  if (flag(call, 'json')) {
    for (const wake of wakes) call.out(JSON.stringify(wake));
    return 0;
  }
  for (const {
    at,
    agent: id,
    sessionId,
    trigger,
    status,
    source,
    tries,
    together,
    duration,
    reason,
  } of wakes)
    call.out(
      [
        clockTime(at),
        shortId(sessionId),
        line(id, 24),
        trigger,
        status,
        ...(source ? [source] : []),
        ...(duration === null ? [] : [`${Math.round(duration)} ms`]),
        ...(tries > 1 ? [`${tries} tries`] : []),
        ...(together > 1 ? [`one of ${together}`] : []),
        ...(reason ? [line(reason, 120)] : []),
      ].join('  '),
    );
  if (wakes.length === 0) call.out('No wakes');
  return 0;
};

const test = async (call: Call, id: string): Promise<number> => {
  await ensureDaemon(call.paths, call.env);
  return printChecks(call, [
    ...(await hookChecks(call)),
    ...(await agentChecks(call, id, !flag(call, 'dry-run'))),
  ]);
};
