/** The checks of `drover doctor`, in the order of an event's path. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, statfsSync, statSync } from 'node:fs';
import { findClis } from '../../claude/find-cli.ts';
import { call as ask } from '../../client/call.ts';
import { runningDaemon } from '../../client/running.ts';
import { configuredClaude } from '../../config/config-field.ts';
import type { ConfigStatus, Status } from '../../contract/api.ts';
import { readConfig } from '../../daemon/config.ts';
import { emitterScript } from '../../hook/emitter.ts';
import { programFile } from '../../program-file.ts';
import { readPassedNames } from '../../config/passed-variables.ts';
import { handlerFor, pluginHandlerFor } from '../../hook/install/command.ts';
import { describeDoubleRegistrations, enabledPlugins, registered } from '../../hook/install/registered.ts';
import { findDisabled } from '../../hook/install/disabled-hooks.ts';
import { probeName } from '../../hook/payload.ts';
import { isTestedSystem, systemName } from '../../platform/system.ts';
import { isNewEnough, tmuxVersion } from '../../tmux/server/version.ts';
import { pollUntil } from '../../poll-until.ts';
import { claudeDir } from '../../paths.ts';
import { nodePath } from '../../platform/node-path.ts';
import { untestedOf } from '../../contract/cli-version.ts';
import { untestedText } from '../../client/untested-text.ts';
import { cliChecks } from './cli-checks.ts';
import { build } from '../../version.ts';
import { ago, count, size } from '../output/format.ts';
import { faultLines, limitLines } from '../output/fault-lines.ts';
import type { Check } from '../output/print-checks.ts';
import { filesOpenToOthers } from '../repair/permissions.ts';
import { repairChecks } from '../repair/repair-check.ts';
import { claudeDirs } from './claude-dirs.ts';
import { fleetChecks } from './fleet-checks.ts';
import { mcpChecks } from './mcp-check.ts';
import { ntfyChecks } from './ntfy-check.ts';
import { checkSessionFiles } from './session-file-check.ts';
import { statusLineCheck } from './status-line-checks.ts';
import { wakeChecks } from './wake-checks.ts';
import type { Call } from '../verb.ts';

export const checks = async (call: Call): Promise<Check[]> => {
  const status = await runningDaemon(call.paths).catch((error: Error) => error);
  const found = [
    platform(),
    await tmux(call),
    configuration(call, status),
    await claude(call),
    checkHooks(call),
    checkSwitches(call),
    statusLineCheck(call),
    ...mcpChecks(call),
    ...(await ntfyChecks(call)),
    emitter(call),
    privacy(call),
    checkSessionFiles(foldersOf(call), Date.now()),
    daemon(status),
    await checkReach(call, status),
    ...(isStatus(status)
      ? [
          ...cliChecks(status.cli),
          spool(status),
          database(status),
          ...(await wakeChecks(call)),
          ...(await fleetChecks(call)),
        ]
      : []),
    disk(call),
  ];
  return [...found, ...(await repairChecks(call, found))];
};

/** Checks the path from a hook to the daemon. */
export const hookChecks = async (call: Call): Promise<Check[]> => {
  const status = await runningDaemon(call.paths).catch((error: Error) => error);
  return [checkHooks(call), checkSwitches(call), emitter(call), await checkReach(call, status)];
};

const isStatus = (status: Status | Error | null): status is Status =>
  status !== null && !(status instanceof Error);

const platform = (): Check => ({
  name: 'platform',
  ok: isTestedSystem ? true : null,
  says: `${systemName}, Node ${process.versions.node}${isTestedSystem ? '' : ' (tested on Linux only)'}`,
});

const tmux = async ({ env }: Call): Promise<Check> => {
  const says = await tmuxVersion(env);
  return {
    name: 'tmux',
    ok: isNewEnough(says ?? ''),
    says: says ?? 'not found',
    fix: 'install tmux 3.2 or newer',
  };
};

const configuration = ({ paths }: Call, status: Status | Error | null): Check => {
  try {
    readConfig(paths.config);
    const applied = isStatus(status) ? (status.config as ConfigStatus | undefined) : undefined;
    const { restart = [], problem = null } = applied ?? {};
    if (problem !== null)
      return {
        name: 'config',
        ok: false,
        says: problem,
        fix: 'run `drover config edit` or `drover restart`',
      };
    if (restart.length)
      return {
        name: 'config',
        ok: null,
        says: `${paths.config} is valid; changed and not applied: ${restart.join(', ')} (\`drover restart\`)`,
      };
    return {
      name: 'config',
      ok: true,
      says: `${paths.config} ${statSync(paths.config, { throwIfNoEntry: false }) ? 'is valid' : 'does not exist; using defaults'}`,
    };
  } catch (error) {
    return { name: 'config', ok: false, says: (error as Error).message, fix: 'run `drover config edit`' };
  }
};

const claude = async ({ env, paths }: Call): Promise<Check> => {
  const clis = await findClis({ env, configured: configuredClaude(paths.config) });
  const says =
    clis.map(cli => `${cli.version ?? 'unknown version'} at ${cli.path}`).join(', ') || 'not found';
  const untested = untestedOf(clis.map(cli => cli.version));
  if (untested.length > 0) return { name: 'claude', ok: null, says: `${says}; ${untestedText(untested)}` };
  return {
    name: 'claude',
    ok: clis.length > 0,
    says,
    fix: 'install Claude Code, or set `claude` in config.json to its path',
  };
};

const checkHooks = ({ env, cwd }: Call): Check => {
  const files = registered(env, cwd).map(({ file, commands }) => `${commands.size} events in ${file}`);
  const plugins = enabledPlugins(env, cwd).map(id => `plugin ${id}`);
  const twice = describeDoubleRegistrations(env, cwd);
  const places = [...files, ...plugins];
  const says = [
    ...(places.length ? places : ['not registered']),
    ...twice.map(text => `registered twice: ${text}`),
  ];
  return { name: 'hooks', ok: places.length > 0, says: says.join('; '), fix: 'run `drover setup`' };
};

const checkSwitches = ({ env, cwd }: Call): Check => {
  const off = findDisabled(env, cwd);
  return {
    name: 'hooks on',
    ok: off.length === 0,
    says: off.map(({ file, key }) => `${key} in ${file}`).join(', ') || 'enabled',
    fix: 'remove that key, or ask your administrator',
  };
};

const emitter = ({ paths }: Call): Check => {
  try {
    const script = readFileSync(paths.emit, 'utf8');
    const same = script === emitterScript(nodePath(), programFile(), readPassedNames(paths.config));
    return {
      name: 'emitter',
      ok: true,
      says: `${paths.emit}${same ? '' : ' (from another version or node; `drover doctor --fix` updates it)'}`,
    };
  } catch {
    return { name: 'emitter', ok: false, says: `${paths.emit} does not exist`, fix: 'run `drover setup`' };
  }
};

/** Also where the config cannot be read, which is a check of its own. */
const foldersOf = ({ env, paths }: Call): string[] => {
  try {
    return claudeDirs(env, paths);
  } catch {
    return [claudeDir(env)];
  }
};

const privacy = ({ paths }: Call): Check => {
  const open = filesOpenToOthers(paths);
  return {
    name: 'private',
    ok: open.length === 0,
    says: open.length
      ? `other users can read ${open.join(', ')}`
      : 'only you can read home, token and database',
    fix: 'run `drover doctor --fix`',
  };
};

const daemon = (status: Status | Error | null): Check => {
  if (status instanceof Error)
    return { name: 'daemon', ok: false, says: status.message, fix: 'run `drover restart`' };
  if (!status) return { name: 'daemon', ok: false, says: 'not running', fix: 'run `drover up`' };
  const other =
    status.version === build ? '' : `, version ${status.version} (this is ${build}: \`drover restart\`)`;
  return { name: 'daemon', ok: true, says: `running for ${ago(status.startedAt)} at ${status.url}${other}` };
};

/** Sends a test event through every registered command and waits for it in the log. */
const checkReach = async (call: Call, status: Status | Error | null): Promise<Check> => {
  const name = 'hooks arrive';
  if (!isStatus(status)) return { name, ok: null, says: 'not checked: the daemon is not running' };
  const awaited = new Map(probes(call).map(command => [randomUUID() as string, command]));
  for (const [probe, command] of awaited)
    await shell(command, JSON.stringify({ hook_event_name: probeName, probe }), call);
  const haveArrived = async () => {
    const page = await ask(call.paths, 'readLog', { query: { after: status.events.last } });
    for (const { payload } of page.events) awaited.delete((payload as { probe?: string })?.probe ?? '');
    return awaited.size === 0;
  };
  if (await pollUntil(haveArrived, 3_000, 30)) {
    const last = status.events.lastHookAt;
    return {
      name,
      ok: true,
      says: `a test event arrived; ${last ? `last hook of a session ${ago(last)} ago` : 'no session has fired a hook since the start'}`,
    };
  }
  return {
    name,
    ok: false,
    says: `a test event did not arrive within 3 s through ${[...awaited.values()].join(' and ')}`,
    fix: `run \`drover setup\` in every scope named above; otherwise see ${call.paths.logFile}`,
  };
};

/** Returns each distinct registered command, with the event replaced by the test event. */
const probes = ({ env, cwd }: Call): string[] => {
  const forms = registered(env, cwd).flatMap(({ commands }) =>
    [...commands].flatMap(([event, own]) =>
      own.map(command => command.replace(`set -- ${event}`, `set -- ${probeName}`)),
    ),
  );
  if (enabledPlugins(env, cwd).length > 0) forms.push(pluginHandlerFor(probeName).command);
  return forms.length > 0 ? [...new Set(forms)] : [handlerFor(probeName, env).command];
};

const shell = (command: string, input: string, { env }: Call): Promise<void> =>
  new Promise(resolve => {
    const child = spawn('/bin/sh', ['-c', command], {
      env: { PATH: env.PATH, HOME: env.HOME, DROVER_HOME: env.DROVER_HOME },
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: 5_000,
    });
    child.on('error', () => resolve());
    child.on('close', () => resolve());
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });

const spool = ({ spool: { files, dropped, aside, otherTools, full } }: Status): Check => ({
  name: 'spool',
  ok: !full,
  says: `${count(files)} files, ${count(dropped)} events dropped, ${count(aside)} moved aside${otherTools > 0 ? `, ${count(otherTools)} of another tool (Cursor) ignored` : ''}`,
  fix: 'the daemon drains it; check the free disk space',
});

const database = ({ events, faults }: Status): Check => {
  const found = faultLines(faults);
  return {
    name: 'database',
    ok: found.length === 0,
    says: [`${count(events.kept)} events, ${size(events.bytes)}`, ...found, ...limitLines(faults)].join('; '),
    fix: 'see the daemon log; delete `damaged` and `lost` in DROVER_HOME to clear this report',
  };
};

const disk = ({ paths }: Call): Check => {
  try {
    const { bavail, bsize } = statfsSync(paths.home);
    const free = bavail * bsize;
    return {
      name: 'disk',
      ok: free > 200_000_000,
      says: `${size(free)} free`,
      fix: 'free some space: events are lost on a full disk',
    };
  } catch {
    return { name: 'disk', ok: null, says: `${paths.home} does not exist yet` };
  }
};
