/** What a managed session is started with: a folder of its own with its settings and the script that becomes the CLI. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchable } from '../../claude/hook-events.ts';
import { DroverError } from '../../contract/error.ts';
import type { CreateSession } from '../../contract/hub.ts';
import { addHooks, addPermissions, readSettings, type Settings } from '../../driver/launch/settings.ts';
import { execScript } from '../../driver/launch/start-script.ts';
import { handlerFor } from '../../hook/install/command.ts';
import { startScripts, type Env, type Paths } from '../../paths.ts';

/** Writes the folder of a session and returns the script that becomes its CLI. */
export const prepareLaunch = (
  paths: Paths,
  env: Env,
  cli: { path: string; version: string | null },
  wish: CreateSession,
): string => {
  const { session_id: id } = wish;
  const folder = join(paths.managed, id);
  const { args, settings } = takeSettings(wish.args, wish.cwd);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const settingsFile = join(folder, 'settings.json');
  write(settingsFile, JSON.stringify(settingsOf(settings, env, cli.version, wish.permissions), null, 2));
  const always = [
    '--settings',
    settingsFile,
    ...(wish.inherit_hooks ? [] : ['--setting-sources=']),
    ...(wish.model ? ['--model', wish.model] : []),
    ...(wish.permission_mode ? ['--permission-mode', wish.permission_mode] : []),
  ];
  // Not the caller's own arguments: a prompt may stand among them.
  write(join(folder, resumeFile), JSON.stringify(always));
  const named = wish.name ? ['--name', wish.name] : [];
  const words = [cli.path, '--session-id', id, ...always, ...named, ...args];
  const script = join(folder, startFile);
  write(script, execScript({ dir: wish.cwd, env: wish.env, argv: words }));
  return script;
};

/** A past session that the hub takes up again. */
export interface Again {
  /** The session, or its fork. */
  id: string;
  /** Whose transcript it goes on with: its own, or that of the one that is forked. */
  from: string;
  dir: string;
  argv: string[];
  env?: Record<string, string>;
}

/** Writes the folder of a past session, unless it has one; returns its script and the words of its CLI. */
export const prepareAgain = (
  paths: Paths,
  env: Env,
  version: string | null,
  { id, from, dir, argv, env: exported = {} }: Again,
): { script: string; words: string[] } => {
  const folder = join(paths.managed, id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const had = existsSync(join(paths.managed, from, resumeFile));
  const settingsFile = join(folder, 'settings.json');
  // What it had stands among its words already.
  const always = had ? [] : ['--settings', settingsFile];
  if (had && from !== id) handOnLaunch(paths, from, id);
  if (!had) {
    write(settingsFile, JSON.stringify(settingsOf({}, env, version), null, 2));
    write(join(folder, resumeFile), JSON.stringify(always));
  }
  const words = [...argv, ...always];
  const script = join(folder, from === id ? againFile : startFile);
  write(script, execScript({ dir, env: exported, argv: words }));
  return { script, words };
};

/** Two names: what followed a session by `/clear` may still live in the pane that was started by the first. */
const { first: startFile, again: againFile } = startScripts;

/** How the path of the script of a session ends, which names it among all the panes of a server. */
export const scriptTail = (id: string, again: boolean): string => `/${id}/${again ? againFile : startFile}`;

/** What it takes to bring a session back as it was. */
const resumeFile = 'resume.json';

/** After `/clear` the conversation that follows was started with the same. */
export const handOnLaunch = (paths: Paths, id: string, next: string): void => {
  const from = join(paths.managed, id, resumeFile);
  if (!existsSync(from)) return;
  mkdirSync(join(paths.managed, next), { recursive: true, mode: 0o700 });
  cpSync(from, join(paths.managed, next, resumeFile));
};

export const removeLaunch = (paths: Paths, id: string): void =>
  rmSync(join(paths.managed, id), { recursive: true, force: true });

/** The script holds the environment that the caller gave; it is of no use after the start. */
export const removeStart = (paths: Paths, id: string): void => {
  for (const name of [startFile, againFile]) rmSync(join(paths.managed, id, name), { force: true });
};

/** Removes the folders of sessions that are no longer known, but for settings that a known one still runs with. */
export const pruneLaunches = (paths: Paths, isKnown: (id: string) => boolean): void => {
  if (!existsSync(paths.managed)) return;
  const ids = readdirSync(paths.managed);
  const used = ids.filter(isKnown).map(id => textOf(join(paths.managed, id, resumeFile)));
  for (const id of ids) if (!isKnown(id) && !used.some(text => text.includes(id))) removeLaunch(paths, id);
};

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const write = (file: string, text: string): void => {
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600 });
};

/** A repeated `--settings` drops the earlier one: the caller's own goes into ours. */
const takeSettings = (args: string[], cwd: string): { args: string[]; settings: Settings } => {
  const left: string[] = [];
  let settings: Settings = {};
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string;
    if (arg === '--settings') settings = callerSettings(args[++index] ?? '', cwd);
    else if (arg.startsWith('--settings=')) settings = callerSettings(arg.slice('--settings='.length), cwd);
    else left.push(arg);
  }
  return { args: left, settings };
};

const callerSettings = (given: string, cwd: string): Settings => {
  try {
    return readSettings(given, cwd);
  } catch (error) {
    throw new DroverError('bad_request', `--settings among args cannot be read: ${(error as Error).message}`);
  }
};

const settingsOf = (
  given: Settings,
  env: Env,
  version: string | null,
  permissions?: CreateSession['permissions'],
): Settings => {
  const events = watchable(version === null ? [] : [version]);
  const withHooks = addHooks(
    given,
    Object.fromEntries(events.map(event => [event, [{ hooks: [handlerFor(event, env)] }]])),
  );
  return permissions ? addPermissions(withHooks, permissions) : withHooks;
};
