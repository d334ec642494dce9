/** Further names for the program (`cld`, `claude-print`): links beside `drover`, never over anything that exists. */
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

const aliasNames = ['cld', 'claude-print'] as const;

export interface Alias {
  path: string;
  /** `taken`: something that is not ours stands there, and stays. */
  state: 'linked' | 'already' | 'taken';
}

/** What linking would do. */
export const planAliases = (names: string[], program: string, env: Env, paths: Paths): Alias[] => {
  const strange = names.find(name => !aliasNames.some(known => known === name));
  if (strange !== undefined) {
    throw new DroverError('usage', `--alias takes ${aliasNames.join(' and ')}, not "${strange}".`);
  }
  const target = realpathSync(program);
  const folder = commandFolder(target, env);
  return names.map(name => ({ path: join(folder, name), state: stateOf(join(folder, name), target, paths) }));
};

/** Links what is free and records it. */
export const linkAliases = (plan: Alias[], program: string, paths: Paths): void => {
  const target = realpathSync(program);
  for (const { path, state } of plan) {
    if (state === 'taken') continue;
    if (state === 'linked') {
      mkdirSync(dirname(path), { recursive: true });
      // Only an own link of an earlier program can stand here.
      if (isLink(path)) rmSync(path);
      symlinkSync(target, path);
    }
    changeRecord(paths, record => {
      record.aliases[path] = target;
    });
  }
};

/** Takes away the recorded links that still are what they were; gives back their paths. */
export const unlinkAliases = (paths: Paths): string[] => {
  const ours = Object.entries(readRecord(paths).aliases).filter(
    ([path, target]) => linkTarget(path) === target,
  );
  for (const [path] of ours) rmSync(path, { force: true });
  changeRecord(paths, record => {
    record.aliases = {};
  });
  return ours.map(([path]) => path);
};

/** The folder on PATH from which this very program is called `drover`, else ~/.local/bin. */
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
