/** Adds, removes and pauses agents in config.json. */
import { resolve } from 'node:path';
import { DroverError } from '../../contract/error.ts';
import { addAgent, enableAgent, removeAgent } from '../../wake/registry/edit-registry.ts';
import { parseRegistry } from '../../wake/registry/parse-registry.ts';
import { namedSettings } from '../setup/wake-settings.ts';
import { type Call, flag, list, text } from '../verb.ts';
import { editConfig } from './edit-config.ts';

export const add = (call: Call, id: string): number => {
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
      return checkEntry(call, edited.text, id);
    },
    'added',
    () => kept,
  );
};

/** Throws if the new entry would not work, before anything is written. */
const checkEntry = (call: Call, after: string, id: string): string => {
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

export const remove = (call: Call, id: string): number =>
  change(call, before => removeAgent(before, call.paths.config, id), 'removed');

export const enable = (call: Call, id: string, isEnabled: boolean): number =>
  change(
    call,
    before => enableAgent(before, call.paths.config, id, isEnabled),
    isEnabled ? 'resumed' : 'paused',
  );
