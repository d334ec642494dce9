/** The settings file that a CLI is started with. The CLI takes only one, so the caller's settings are merged into it. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Hook groups by event, as a settings file has them. */
export type Hooks = Record<string, unknown[]>;

export interface Settings {
  [name: string]: unknown;
  hooks?: Hooks;
  permissions?: { allow?: string[]; deny?: string[] };
}

/** Reads the value of `--settings`: JSON text, or a file relative to `cwd`. Throws when it is not a JSON object. */
export const readSettings = (given: string, cwd: string): Settings => {
  const text = given.trimStart().startsWith('{') ? given : readFileSync(resolve(cwd, given), 'utf8');
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Settings;
  throw new Error('not a JSON object');
};

/** Adds hooks after those that the settings have. */
export const addHooks = <T extends Settings>(settings: T, added: Hooks): T => {
  const hooks = { ...settings.hooks };
  for (const [event, groups] of Object.entries(added)) hooks[event] = [...(hooks[event] ?? []), ...groups];
  return { ...settings, hooks };
};

/** Adds permission rules after those that the settings have. */
export const addPermissions = (
  settings: Settings,
  { allow = [], deny = [] }: NonNullable<Settings['permissions']>,
): Settings => ({
  ...settings,
  permissions: {
    ...settings.permissions,
    allow: [...(settings.permissions?.allow ?? []), ...allow],
    deny: [...(settings.permissions?.deny ?? []), ...deny],
  },
});
