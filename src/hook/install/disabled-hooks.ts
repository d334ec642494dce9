/** Finds settings that disable hooks in Claude Code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../paths.ts';
import { platform } from '../../platform/choose.ts';
import { scopes, settingsFile } from './scope.ts';
import { attempt } from './target.ts';

export interface DisabledHooks {
  file: string;
  key: 'disableAllHooks' | 'allowManagedHooksOnly';
}

/** Returns every settings or policy file that prevents our hooks from running. */
export const findDisabled = (
  env: Env,
  cwd: string,
  policy = platform.desktop.policyFolder,
): DisabledHooks[] => {
  const files = [...new Set(scopes.map(scope => settingsFile(scope, env, cwd)))];
  const managed = policyFiles(policy);
  return [
    ...[...files, ...managed]
      .filter(file => isSet(file, 'disableAllHooks'))
      .map(file => off(file, 'disableAllHooks')),
    ...managed
      .filter(file => isSet(file, 'allowManagedHooksOnly'))
      .map(file => off(file, 'allowManagedHooksOnly')),
  ];
};

/** Reads a JSON object from a file; empty for anything else. */
export const readFields = (file: string): Record<string, unknown> => {
  const value = attempt((): unknown => JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')));
  return typeof value === 'object' && value !== null ? { ...value } : {};
};

const off = (file: string, key: DisabledHooks['key']): DisabledHooks => ({ file, key });

const isSet = (file: string, key: string): boolean => readFields(file)[key] === true;

const policyFiles = (folder: string): string[] => {
  const more = attempt(() => readdirSync(join(folder, 'managed-settings.d'))) ?? [];
  return [
    join(folder, 'managed-settings.json'),
    ...more.filter(name => name.endsWith('.json')).map(name => join(folder, 'managed-settings.d', name)),
  ];
};
