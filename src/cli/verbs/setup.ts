/** `drover setup`: installs the emitter and registers it in Claude's settings, or removes it. */
import { closeSync, openSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { type Cli, findClis } from '../../claude/find-cli.ts';
import { baseVersion, hookEvents, eventsKnownTo } from '../../claude/hook-events.ts';
import { runningDaemon } from '../../client/running.ts';
import { prepareHome } from '../../files/prepare-home.ts';
import { DroverError } from '../../contract/error.ts';
import { readConfig } from '../../daemon/config.ts';
import { installEmitter } from '../../hook/emitter.ts';
import { installMcpScript } from '../../hook/mcp-script.ts';
import { type Alias, linkAliases, planAliases, unlinkAliases } from '../../hook/install/alias.ts';
import { isPortable } from '../../hook/install/command.ts';
import type { Edited } from '../../hook/install/edit-file.ts';
import {
  installHooks,
  type Place,
  previewInstall,
  removeHooks,
  wantedHandlers,
} from '../../hook/install/install.ts';
import { previewRemoveAll, unprotectHome } from '../../hook/install/protect.ts';
import { changeRecord, readRecord } from '../../hook/install/record.ts';
import { describeDoubleRegistrations } from '../../hook/install/registered.ts';
import { projectRoot, type Scope, scopes, settingsFile } from '../../hook/install/scope.ts';
import { findDisabled } from '../../hook/install/disabled-hooks.ts';
import { removeStatusLine } from '../../hook/install/register-status-line.ts';
import { askNotify, setNotify } from '../setup/setup-notify.ts';
import { setupMcp } from '../setup/setup-mcp.ts';
import { setupProtect } from '../setup/setup-protect.ts';
import { setupStatusLine } from '../setup/setup-status-line.ts';
import { setupTmux } from '../setup/setup-tmux.ts';
import { printDiff } from '../output/print-diff.ts';
import { ownCommand } from '../output/own-command.ts';
import { type Call, flag, list, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  for (const other of ['tmux', 'protect', 'statusline', 'mcp'])
    for (const name of ['scope', 'with', 'alias'])
      if (flag(call, other) && call.options[name] !== undefined)
        throw new DroverError('usage', `--${name} cannot be used with --${other}.`);
  if (flag(call, 'tmux')) return setupTmux(call);
  if (flag(call, 'protect')) return setupProtect(call);
  if (flag(call, 'statusline')) return setupStatusLine(call);
  if (flag(call, 'mcp')) return setupMcp(call);
  for (const name of ['drive', 'answer'])
    if (flag(call, name))
      throw new DroverError('usage', `--${name} needs --mcp.`, `Run \`drover setup --mcp --${name}\`.`);
  const scope = scopeOf(call);
  const place = { name: settingsFile(scope, call.env, call.cwd), scope, paths: call.paths };
  return flag(call, 'remove') ? remove(call, place) : install(call, place);
};

const install = async (call: Call, place: Place): Promise<number> => {
  const { env, paths } = call;
  const config = readConfig(paths.config);
  const optIn = optedIn(call);
  const clis = await search(call, config.claude);
  const wanted = wantedHandlers(
    clis.map(({ version }) => version ?? baseVersion),
    optIn,
    env,
  );
  const program = process.argv[1] ?? '';
  const names = commaList(call, 'alias');
  const aliases = names.length > 0 ? planAliases(names, program, env, paths) : [];
  // Invalid settings are rejected before anything is written.
  const plan = previewInstall(place, wanted);
  if (flag(call, 'dry-run')) {
    const count = `${wanted.size} ${wanted.size === 1 ? 'event' : 'events'}`;
    if (!flag(call, 'json'))
      call.err(
        `Would register hooks for ${count} in ${place.name}, as shown, and create Drover's own files in ${paths.home}.`,
      );
    return show(call, plan, aliases);
  }
  prepareHome(paths);

  installEmitter(paths);
  installMcpScript(paths);
  if (config.autostart) allowAutostart(call);
  const edited = installHooks(place, wanted);
  linkAliases(aliases, program, paths);
  const notify = await askNotify(call, config);
  const notifyLines = setNotify(call, config, notify);

  const leftOut = leftOutBy(clis, optIn);
  const report = {
    scope: place.scope,
    file: place.name,
    changed: edited.after !== edited.before,
    events: [...wanted.keys()],
    leftOut,
    clis,
    aliases,
    notify,
    warnings: [...warnings(call, place, clis), ...unreachable(aliases, call)],
  };
  if (flag(call, 'json')) call.out(JSON.stringify(report));
  else {
    const count = `${wanted.size} events`;
    call.out(
      report.changed
        ? `Registered ${count} in ${place.name}.`
        : `${count} are already registered in ${place.name}. Nothing was changed.`,
    );
    for (const { cli, events } of leftOut)
      call.out(`Not registered, because ${describeCli(cli)} does not support them: ${events.join(', ')}.`);
    for (const alias of aliases) call.out(aliasLine(alias));
    for (const line of notifyLines) call.out(line);
    for (const line of report.warnings) call.out(`Note: ${line}`);
    const drover = ownCommand(env, call.cwd);
    call.out(
      `Next: start claude in tmux, then run \`${drover}\`. The daemon starts by itself. \`${drover} doctor\` checks that events arrive.`,
    );
    call.out(
      'Sessions already running show up at their next event. A permission dialog that is already open can be answered too.',
    );
  }
  return aliases.some(({ state }) => state === 'taken') ? 1 : 0;
};

const remove = async (call: Call, place: Place): Promise<number> => {
  if (flag(call, 'dry-run')) return show(call, previewRemoveAll(place.name, call.paths), []);
  const { before } = removeHooks(place.name, call.paths);
  unprotectHome(place.name, call.paths);
  const { after } = removeStatusLine(place.name, call.paths);
  const aliases = place.scope === 'user' ? unlinkAliases(call.paths) : [];
  const changed = after !== before;
  if (flag(call, 'json')) {
    call.out(JSON.stringify({ scope: place.scope, file: place.name, changed, aliases }));
    return 0;
  }
  call.out(changed ? `Removed Drover's hooks from ${place.name}.` : `No Drover hooks in ${place.name}.`);
  for (const path of aliases) call.out(`Removed the link ${path}.`);
  const others = Object.values(readRecord(call.paths).files).map(({ name }) => name);
  if (others.length > 0)
    call.out(`Still registered in ${others.join(', ')}. \`drover uninstall\` removes all.`);
  else if (await runningDaemon(call.paths)) call.out('The daemon is still running. `drover down` stops it.');
  return 0;
};

const show = (call: Call, edited: Edited, aliases: Alias[]): number => {
  printDiff(call, edited, { aliases });
  if (!flag(call, 'json')) for (const alias of aliases) call.err(aliasLine(alias, 'Would link'));
  return 0;
};

/** Turns autostart on once. Later changes by the user are kept. */
const allowAutostart = ({ paths }: Call): void => {
  if (readRecord(paths).autostart) return;
  closeSync(openSync(paths.autostart, 'a', 0o600));
  changeRecord(paths, record => {
    record.autostart = true;
  });
};

const search = async (call: Call, configured: string | undefined): Promise<Cli[]> => {
  const slow = setTimeout(
    () => call.err('Asking every Claude CLI on this machine for its version ...'),
    1_000,
  );
  try {
    return await findClis({ env: call.env, configured });
  } finally {
    clearTimeout(slow);
  }
};

const leftOutBy = (clis: Cli[], optIn: string[]): { cli: Cli; events: string[] }[] => {
  const asked = hookEvents.filter(({ name, watch }) => watch === 'always' || optIn.includes(name));
  const missing = (version: string) =>
    asked.map(({ name }) => name).filter(name => !eventsKnownTo(version).includes(name));
  return clis
    .map(cli => ({ cli, events: missing(cli.version ?? baseVersion) }))
    .filter(({ events }) => events.length > 0);
};

const warnings = ({ env, cwd }: Call, { scope }: Place, clis: Cli[]): string[] => {
  const root = projectRoot(cwd);
  return [
    ...(clis.length > 0 ? [] : [`no Claude CLI was found, so the events of ${baseVersion} were registered.`]),
    ...clis
      .filter(({ version }) => version === null)
      .map(cli => `${cli.path} did not report its version; ${baseVersion} is assumed.`),
    ...findDisabled(env, cwd).map(({ file, key }) => `${key} in ${file} prevents these hooks from running.`),
    ...describeDoubleRegistrations(env, cwd).map(
      double => `registered twice: ${double}. Each event is recorded once, but the hook runs twice.`,
    ),
    ...(scope !== 'user' && root !== cwd
      ? [`Claude reads project settings from the folder where it is started, which must be ${root}.`]
      : []),
    ...(scope === 'project' && !isPortable(env)
      ? [
          'the command contains the DROVER_HOME of this machine; it does nothing for others who share the file.',
        ]
      : []),
  ];
};

const unreachable = (aliases: Alias[], { env }: Call): string[] => {
  const folders = new Set(aliases.filter(({ state }) => state !== 'taken').map(({ path }) => dirname(path)));
  return [...folders]
    .filter(folder => !(env.PATH ?? '').split(delimiter).includes(folder))
    .map(folder => `${folder} is not on your PATH.`);
};

const describeCli = ({ path, version }: Cli): string =>
  `${path} (${version ?? `unknown version, ${baseVersion} is assumed`})`;

const aliasLine = ({ path, state }: Alias, verb = 'Linked'): string => {
  if (state === 'taken') return `${path} already exists and was not changed.`;
  return state === 'already' ? `${path} is already linked.` : `${verb} ${path}.`;
};

const scopeOf = (call: Call): Scope => {
  const asked = text(call, 'scope') ?? 'user';
  const scope = scopes.find(name => name === asked);
  if (!scope) throw new DroverError('usage', `Unknown scope "${asked}". Use ${scopes.join(', ')}.`);
  return scope;
};

const optedIn = (call: Call): string[] => {
  const names = commaList(call, 'with');
  for (const name of names) {
    const watch = hookEvents.find(event => event.name === name)?.watch;
    if (watch === 'never')
      throw new DroverError(
        'usage',
        `${name} cannot be registered: a hook for it replaces what Claude does.`,
      );
    if (watch === undefined) throw new DroverError('usage', `Unknown hook event "${name}".`);
  }
  return names;
};

const commaList = (call: Call, name: string): string[] =>
  list(call, name)
    .flatMap(value => value.split(','))
    .map(name => name.trim())
    .filter(Boolean);
