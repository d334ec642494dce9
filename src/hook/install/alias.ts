/** Installs aliases (`cld`, `claude-print`, `menu-driver.sh`) as links next to `drover`. Never overwrites anything. */
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { DroverError } from '../../contract/error.ts';
import { type Env, type Paths, userHome } from '../../paths.ts';
import { changeRecord, readRecord } from './record.ts';
import { attempt } from './target.ts';

const aliasNames = ['cld', 'claude-print', 'menu-driver.sh'] as const;

export interface Alias {
  path: string;
  /** `taken`: another file has this path and is kept. */
  state: 'linked' | 'already' | 'taken';
}

/** Plans the links. */
export const planAliases = (names: string[], program: string, env: Env, paths: Paths): Alias[] => {
  const unknown = names.find(name => !aliasNames.some(known => known === name));
  if (unknown !== undefined) {
    throw new DroverError('usage', `Unknown alias "${unknown}". Use ${aliasNames.join(', ')}.`);
  }
  const target = realpathSync(program);
  const folder = commandFolder(target, env);
  return names.map(name => ({ path: join(folder, name), state: stateOf(join(folder, name), target, paths) }));
};

/** Creates the planned links and records them. */
export const linkAliases = (plan: Alias[], program: string, paths: Paths): void => {
  const target = realpathSync(program);
  for (const { path, state } of plan) {
    if (state === 'taken') continue;
    if (state === 'linked') {
      mkdirSync(dirname(path), { recursive: true });
      // This can only be our own link to an earlier installation.
      if (isLink(path)) rmSync(path);
      symlinkSync(target, path);
    }
    changeRecord(paths, record => {
      record.aliases[path] = target;
    });
  }
};

/** Removes recorded links that have not changed, and returns their paths. */
export const unlinkAliases = (paths: Paths): string[] => {
  const own = Object.entries(readRecord(paths).aliases).filter(
    ([path, target]) => linkTarget(path) === target,
  );
  for (const [path] of own) rmSync(path, { force: true });
  changeRecord(paths, record => {
    record.aliases = {};
  });
  return own.map(([path]) => path);
};

/** Returns the folder on PATH where `drover` is this program, or ~/.local/bin. */
const commandFolder = (target: string, env: Env): string =>
  (env.PATH ?? '')
    .split(delimiter)
    .filter(folder => isAbsolute(folder) && isWritable(folder))
    .find(folder => attempt(() => realpathSync(join(folder, 'drover'))) === target) ??
  join(userHome(env), '.local', 'bin');

const stateOf = (path: string, target: string, paths: Paths): Alias['state'] => {
  if (attempt(() => lstatSync(path)) === null) return 'linked';
  const found = linkTarget(path);
  if (found === target) return 'already';
  return found !== null && found === readRecord(paths).aliases[path] ? 'linked' : 'taken';
};

const linkTarget = (path: string): string | null =>
  attempt(() => (isLink(path) ? resolve(dirname(path), readlinkSync(path)) : null));

const isLink = (path: string): boolean => attempt(() => lstatSync(path).isSymbolicLink()) ?? false;

const isWritable = (folder: string): boolean =>
  attempt(() => accessSync(folder, constants.W_OK | constants.X_OK) ?? true) ?? false;
