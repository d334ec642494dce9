/** `drover service`: runs the daemon as a user service. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DroverError } from '../../contract/error.ts';
import { programFile } from '../../program-file.ts';
import type { Env, Paths } from '../../paths.ts';
import { nodePath } from '../../platform/node-path.ts';
import { platform } from '../../platform/choose.ts';
import { type Call, flag } from '../verb.ts';

export const run = (call: Call): number => {
  const [what] = call.args;
  if (what !== 'install' && what !== 'remove')
    throw new DroverError(
      'usage',
      'The action is missing.',
      'Use `drover service install` or `drover service remove`.',
    );
  const lines =
    what === 'install' ? installService(call.env, call.paths) : removeService(call.env, call.paths);
  if (flag(call, 'json')) call.out(JSON.stringify({ file: serviceFile(call.env), said: lines }));
  else for (const text of lines.length ? lines : ['No service is installed']) call.out(text);
  return 0;
};

/** Writes the unit, starts it and returns the report lines. */
export const installService = (env: Env, paths: Paths): string[] => {
  const file = serviceFile(env);
  const variables: [string, string][] = [
    ['PATH', env.PATH ?? ''],
    ['DROVER_HOME', paths.home],
    ...passedVariables(env),
  ];
  const argv = [nodePath(), programFile(), 'up', '--foreground'];
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, services.text({ argv, variables }), { mode: 0o600 });
  return [`Wrote ${file}`, ...control(env, services.enable(file))];
};

/** Stops and removes the service. Returns no lines if there is none. */
export const removeService = (env: Env, _paths: Paths): string[] => {
  const file = serviceFile(env);
  if (!existsSync(file)) return [];
  const lines = control(env, services.disable(file));
  rmSync(file, { force: true });
  return [...lines, `Removed ${file}`];
};

const { services } = platform.desktop;

export const serviceFile = (env: Env): string => services.file(env);

/** Runs the service manager. If that fails, reports the command to run. */
const control = (env: Env, command: string[]): string[] => {
  const { status, stderr, error } = spawnSync(command[0] as string, command.slice(1), {
    env: env,
    encoding: 'utf8',
    timeout: 10_000,
  });
  const line = command.join(' ');
  if (status === 0) return [`Ran ${line}`];
  return [
    `Could not run ${line} (${error?.message || stderr.trim().split('\n').at(-1) || `exit ${status}`}); run it yourself`,
  ];
};

const passedVariables = (env: Env): [string, string][] =>
  (['TMUX_TMPDIR', 'CLAUDE_CONFIG_DIR', 'DROVER_PORT'] as const).flatMap(key =>
    env[key] ? [[key, env[key]]] : [],
  );
