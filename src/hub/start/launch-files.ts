/** The files that a managed session is started with: a folder with its settings and the script that becomes the CLI. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventsForAll } from '../../claude/hook-events.ts';
import { parentVariable } from '../../claude/markers.ts';
import { DroverError } from '../../contract/error.ts';
import type { NewSession } from '../../contract/hub.ts';
import { addHooks, addPermissions, readSettings, type Settings } from '../../driver/launch/settings.ts';
import { execScript } from '../../driver/launch/start-script.ts';
import { writeEnvironmentFile } from '../../files/environment-file.ts';
import { handlerFor } from '../../hook/install/command.ts';
import { environmentFileOf, startScripts, type Env, type Paths } from '../../paths.ts';

/** Writes the folder of a new session and returns its start script. `variables` are what every session gets. */
export const prepareLaunch = (
  paths: Paths,
  env: Env,
  variables: Record<string, string>,
  cli: { path: string; version: string | null },
  input: NewSession,
): string => {
  const { session_id: id } = input;
  const folder = join(paths.managed, id);
  const { args, settings } = takeSettings(input.args, input.cwd);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const settingsFile = join(folder, 'settings.json');
  write(settingsFile, JSON.stringify(settingsOf(settings, env, cli.version, input.permissions), null, 2));
  const always = [
    '--settings',
    settingsFile,
    ...(input.inherit_hooks ? [] : ['--setting-sources=']),
    ...(input.model ? ['--model', input.model] : []),
    ...(input.permission_mode ? ['--permission-mode', input.permission_mode] : []),
  ];
  // Without the caller's own arguments, which may contain a prompt.
  write(join(folder, resumeFile), JSON.stringify(always));
  const parent = input.env[parentVariable];
  if (parent) write(join(folder, parentFile), parent);
  const named = input.name ? ['--name', input.name] : [];
  const argv = [cli.path, '--session-id', id, ...always, ...named, ...args];
  const script = join(folder, startScript);
  writeScript(script, input.cwd, argv, { ...variables, ...input.env });
  return script;
};

/** A past session to resume. */
export interface ResumeLaunch {
  /** The session, or its fork. */
  id: string;
  /** The session whose transcript it continues: itself, or the one that is forked. */
  from: string;
  dir: string;
  argv: string[];
  env?: Record<string, string>;
}

/** Writes the folder of a past session, unless it has one. Returns its start script and command line. */
export const prepareResume = (
  paths: Paths,
  env: Env,
  variables: Record<string, string>,
  version: string | null,
  { id, from, dir, argv: given, env: exported = {} }: ResumeLaunch,
): { script: string; argv: string[] } => {
  const folder = join(paths.managed, id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const had = existsSync(join(paths.managed, from, resumeFile));
  const settingsFile = join(folder, 'settings.json');
  // `given` already contains the arguments of its earlier start.
  const always = had ? [] : ['--settings', settingsFile];
  if (had && from !== id) copyLaunchFiles(paths, from, id);
  if (!had) {
    write(settingsFile, JSON.stringify(settingsOf({}, env, version), null, 2));
    write(join(folder, resumeFile), JSON.stringify(always));
  }
  const argv = [...given, ...always];
  const script = join(folder, from === id ? resumeScript : startScript);
  writeScript(script, dir, argv, { ...variables, ...exported });
  return { script, argv };
};

const writeScript = (script: string, dir: string, argv: string[], env: Record<string, string>): void => {
  const environmentFile = environmentFileOf(script);
  writeEnvironmentFile(environmentFile, env);
  write(script, execScript({ dir, environmentFile, argv }));
};

/** A resume uses another name: the pane of the first script may still run the session's successor after `/clear`. */
const { first: startScript, again: resumeScript } = startScripts;

/** The end of a start script's path, which identifies its pane among all panes of a server. */
export const scriptTail = (id: string, isResume: boolean): string =>
  `/${id}/${isResume ? resumeScript : startScript}`;

/** Holds the arguments that a resumed session needs again. */
const resumeFile = 'resume.json';

/** Holds the id of the session that started this one. */
const parentFile = 'parent';

export const readParent = (paths: Paths, id: string): string | null =>
  textOf(join(paths.managed, id, parentFile)) || null;

/** Copies them to the session that follows by `/clear`, which runs with the same arguments. */
export const copyLaunchFiles = (paths: Paths, id: string, next: string): void => {
  const from = join(paths.managed, id, resumeFile);
  if (!existsSync(from)) return;
  mkdirSync(join(paths.managed, next), { recursive: true, mode: 0o700 });
  cpSync(from, join(paths.managed, next, resumeFile));
};

export const removeLaunchFiles = (paths: Paths, id: string): void =>
  rmSync(join(paths.managed, id), { recursive: true, force: true });

/** Removes the scripts after the start, and the environment of one that never started. */
export const removeStartScripts = (paths: Paths, id: string): void => {
  for (const name of [startScript, resumeScript])
    for (const file of [name, environmentFileOf(name)])
      rmSync(join(paths.managed, id, file), { force: true });
};

/** Removes the folders of sessions that are no longer known, except settings that a known session still uses. */
export const pruneLaunchFiles = (paths: Paths, isKnown: (id: string) => boolean): void => {
  if (!existsSync(paths.managed)) return;
  const ids = readdirSync(paths.managed);
  const used = ids.filter(isKnown).map(id => textOf(join(paths.managed, id, resumeFile)));
  for (const id of ids)
    if (!isKnown(id) && !used.some(text => text.includes(id))) removeLaunchFiles(paths, id);
};

const textOf = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const write = (file: string, text: string): void => {
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600 });
};

/** The CLI uses only its last `--settings`, so the caller's are merged into ours. */
const takeSettings = (args: string[], cwd: string): { args: string[]; settings: Settings } => {
  const rest: string[] = [];
  let settings: Settings = {};
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] as string;
    if (arg === '--settings') settings = callerSettings(args[++index] ?? '', cwd);
    else if (arg.startsWith('--settings=')) settings = callerSettings(arg.slice('--settings='.length), cwd);
    else rest.push(arg);
  }
  return { args: rest, settings };
};

const callerSettings = (given: string, cwd: string): Settings => {
  try {
    return readSettings(given, cwd);
  } catch (error) {
    throw new DroverError('bad_request', `Cannot read --settings in args: ${(error as Error).message}`);
  }
};

const settingsOf = (
  given: Settings,
  env: Env,
  version: string | null,
  permissions?: NewSession['permissions'],
): Settings => {
  const events = eventsForAll(version === null ? [] : [version]);
  const withHooks = addHooks(
    given,
    Object.fromEntries(events.map(event => [event, [{ hooks: [handlerFor(event, env)] }]])),
  );
  return permissions ? addPermissions(withHooks, permissions) : withHooks;
};
