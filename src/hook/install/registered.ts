/** Finds Drover's registered hooks and double registrations. Read-only; a broken file counts as empty. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claudeDir, type Env } from '../../paths.ts';
import { isTimeoutTooShort, isOwnCommand } from './command.ts';
import { type Scope, scopes, settingsFile } from './scope.ts';
import { readFields } from './disabled-hooks.ts';

export interface Registered {
  scope: Scope;
  file: string;
  /** Own commands by event. */
  commands: Map<string, string[]>;
}

/** Returns the settings files for `cwd` with own entries. */
export const registered = (env: Env, cwd: string): Registered[] => {
  const files = new Map(
    scopes.map(scope => [settingsFile(scope, env, cwd), scope]).reverse() as [string, Scope][],
  );
  return [...files]
    .map(([file, scope]) => ({ scope, file, commands: ownCommands(readFields(file).hooks) }))
    .filter(({ commands }) => commands.size > 0)
    .reverse();
};

/** Returns the ids of Drover's enabled plugins. */
export const enabledPlugins = (env: Env, cwd: string): string[] => {
  const installed = Object.keys(
    Object(readFields(join(claudeDir(env), 'plugins', 'installed_plugins.json')).plugins),
  );
  const states = scopes.map(scope => Object(readFields(settingsFile(scope, env, cwd)).enabledPlugins));
  const enabled = installed
    .filter(id => id.startsWith('drover@'))
    .filter(id => states.map(state => state[id]).findLast(value => value !== undefined) === true);
  const linked = existsSync(join(claudeDir(env), 'skills', 'drover', '.claude-plugin', 'plugin.json'));
  return linked ? [...enabled, 'drover@skills-dir'] : enabled;
};

/** Describes each way in which one event reaches the emitter twice. */
export const describeDoubleRegistrations = (env: Env, cwd: string): string[] => {
  const places = registered(env, cwd);
  if (places.length === 0) return [];
  const plugins = enabledPlugins(env, cwd).map(
    id => `the plugin ${id} and ${places.map(({ file }) => file).join(', ')} both register Drover`,
  );
  const events = [...new Set(places.flatMap(({ commands }) => [...commands.keys()]))];
  const differing = events.filter(
    event => new Set(places.flatMap(({ commands }) => commands.get(event) ?? [])).size > 1,
  );
  if (differing.length === 0) return plugins;
  const where = places
    .filter(({ commands }) => differing.some(event => commands.has(event)))
    .map(({ file }) => file)
    .join(', ');
  return [...plugins, `different commands for ${differing.join(', ')} in ${where}`];
};

/** Lists entries whose timeout is shorter than an agent may take to answer, each as `Stop in <file>`. */
export const listShortTimeouts = (env: Env, cwd: string): string[] => {
  return registered(env, cwd).flatMap(({ file }) =>
    [...ownHandlers(readFields(file).hooks)]
      .filter(([event, handlers]) => handlers.some(({ timeout }) => isTimeoutTooShort(event, timeout, env)))
      .map(([event]) => `${event} in ${file}`),
  );
};

const ownCommands = (hooks: unknown): Map<string, string[]> =>
  new Map(
    [...ownHandlers(hooks)].map(([event, handlers]) => [event, handlers.map(({ command }) => command)]),
  );

const ownHandlers = (hooks: unknown): Map<string, { command: string; timeout?: unknown }[]> => {
  const found = new Map<string, { command: string; timeout?: unknown }[]>();
  for (const [event, groups] of Object.entries(Object(hooks) as object)) {
    const handlers = list(groups)
      .flatMap(group => list(Object(group).hooks))
      .map(handler => Object(handler) as { command: string; timeout?: unknown })
      .filter(({ command }) => isOwnCommand(command));
    if (handlers.length > 0) found.set(event, handlers);
  }
  return found;
};

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
