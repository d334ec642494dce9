/** Imports agents from another registry, or follows it. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configObject } from '../../config/config-object.ts';
import { DroverError } from '../../contract/error.ts';
import {
  followRegistry,
  importAgents,
  type Imported,
  unfollowRegistry,
} from '../../wake/registry/edit-registry.ts';
import { problemOf } from '../../wake/registry/followed-registry.ts';
import { parseRegistry } from '../../wake/registry/parse-registry.ts';
import { type Call, flag } from '../verb.ts';
import { editConfig } from './edit-config.ts';

export const importFile = (call: Call, file: string): number => {
  const registry = readJson(resolve(call.cwd, file));
  let result: Imported = { text: '', added: [], kept: [], settings: { taken: [], kept: [] } };
  const edit = (before: string) => {
    result = importAgents(before, call.paths.config, registry, flag(call, 'replace'));
    return result.text;
  };
  if (flag(call, 'dry-run')) {
    const before = readOr(call.paths.config);
    edit(before?.trim() ? before : '{}\n');
  } else editConfig(call, edit);
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
export const follow = (call: Call, file: string): number => {
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

export const unfollow = (call: Call, file: string): number => {
  editConfig(call, before => unfollowRegistry(before, call.paths.config, file));
  call.out(flag(call, 'json') ? JSON.stringify({ file, followed: false }) : `no longer follows ${file}`);
  return 0;
};

const readJson = (file: string): object => {
  const content = readOr(file);
  if (content === null) throw new DroverError('usage', `${file} cannot be read.`);
  const parsed = configObject(content);
  if ('value' in parsed && content.trim() !== '') return parsed.value;
  throw new DroverError('usage', `${file} is not a JSON object.`);
};

const readOr = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};
