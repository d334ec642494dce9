/** `drover config`: reads, changes and checks config.json. */
import { chmodSync } from 'node:fs';
import { runningDaemon } from '../../client/running.ts';
import type { ConfigStatus } from '../../contract/api.ts';
import { DroverError } from '../../contract/error.ts';
import { restartFields, setupFields } from '../../contract/restart-fields.ts';
import { parseConfig, readConfig } from '../../daemon/config.ts';
import { editFile } from '../../hook/install/edit-file.ts';
import { assertKnown, checkConfig, unknownSetting } from '../config/check-config.ts';
import { pathOf, printed, readingsOf, valueAt } from '../config/config-value.ts';
import { removeField, setField } from '../config/edit-config.ts';
import { editInEditor } from '../config/edit-in-editor.ts';
import { schemaText } from '../config/schema-file.ts';
import { refuseInside } from '../refuse-inside.ts';
import { type Call, flag, unknownAction } from '../verb.ts';
import { readText } from '../../files/read-text.ts';

export const run = async (call: Call): Promise<number> => {
  const [action, name, value] = call.args;
  const most = action === undefined ? undefined : argCounts[action];
  if (most !== undefined && call.args.length - 1 > most)
    throw new DroverError(
      'usage',
      `drover config ${action}: unexpected argument ${JSON.stringify(call.args[most + 1])}.`,
      action === 'set' ? 'Quote a value with spaces.' : 'See `drover config --help`.',
    );
  switch (action) {
    case 'get':
      return get(call, name);
    case 'set':
      refuseInside(call);
      return set(call, required(call, name, 'name'), required(call, value, 'value'));
    case 'unset':
      refuseInside(call);
      return unset(call, required(call, name, 'name'));
    case 'edit':
      refuseInside(call);
      return editInEditor(call);
    case 'check':
      return check(call);
    case 'schema':
      call.out(schemaText().trimEnd());
      return 0;
    default:
      throw unknownAction(call, action);
  }
};

/** How many arguments each action takes at most. */
const argCounts: Record<string, number> = { get: 1, set: 2, unset: 1, edit: 0, check: 0, schema: 0 };

const required = (call: Call, arg: string | undefined, what: string): string => {
  if (arg !== undefined) return arg;
  throw new DroverError(
    'usage',
    `drover config ${call.args[0]}: the ${what} is missing.`,
    'See `drover config --help`.',
  );
};

const get = (call: Call, name: string | undefined): number => {
  const config = readConfig(call.paths.config);
  const value = name === undefined ? config : valueAt(config, pathOf(name));
  if (value === undefined) {
    if (flag(call, 'json')) call.out('null');
    else call.err(notSetText(name ?? ''));
    return 1;
  }
  call.out(flag(call, 'json') ? JSON.stringify(value) : printed(value));
  return 0;
};

const notSetText = (name: string): string => {
  const unknown = unknownSetting(pathOf(name));
  if (!unknown) return `${name} is not set.`;
  return `${name} is not a setting.${unknown.guess ? ` Did you mean \`${unknown.guess}\`?` : ''}`;
};

const set = (call: Call, name: string, given: string): Promise<number> => {
  const path = pathOf(name);
  assertKnown(path);
  const file = call.paths.config;
  return change(call, path, before => {
    let problem: unknown;
    for (const value of readingsOf(given))
      try {
        const after = setField(before, file, path, value);
        parseConfig(after, file);
        assertAgents(before, after, file);
        return after;
      } catch (error) {
        problem ??= error;
      }
    throw notChanged(problem, `${file}: `, path);
  });
};

const unset = (call: Call, name: string): Promise<number> => {
  const path = pathOf(name);
  const file = call.paths.config;
  return change(call, path, before => {
    try {
      const after = removeField(before, file, path);
      parseConfig(after, file);
      return after;
    } catch (error) {
      throw notChanged(error, `${file}: `, path);
    }
  });
};

/** Throws if this change makes the agents in the file wrong. If they were wrong before, other settings can still be changed. */
const assertAgents = (before: string, after: string, file: string): void => {
  const [problem] = checkConfig(after, file).problems;
  if (problem !== undefined && checkConfig(before, file).problems.length === 0)
    throw new DroverError('bad_config', problem);
};

/** The line of the field that was to be changed is not in the file: it is one of the text that would be written. */
const withoutLine = (message: string, prefix: string, path: string[]): string => {
  const [, found] = /^line \d+: (.*)$/s.exec(message.slice(prefix.length)) ?? [];
  return message.startsWith(prefix) && found?.startsWith(path.join('.')) ? found : message;
};

const notChanged = (problem: unknown, prefix: string, path: string[]): Error =>
  problem instanceof DroverError && problem.code === 'bad_config'
    ? new DroverError(
        'bad_config',
        `${withoutLine(problem.message, prefix, path)}. The file was not changed.`,
        '`drover config schema` describes each setting.',
      )
    : (problem as Error);

const change = async (call: Call, path: string[], edit: (before: string) => string): Promise<number> => {
  const file = call.paths.config;
  editFile(file, before => {
    const after = edit(before ?? '');
    return before === null && after === '' ? null : after;
  });
  const text = readText(file);
  if (text !== null) chmodSync(file, 0o600);
  const value = valueAt(readConfig(file), path) ?? null;
  const applies = await whenApplied(call, path[0] ?? '');
  if (flag(call, 'json')) call.out(JSON.stringify({ name: path.join('.'), value, applies }));
  else {
    call.out(`${path.join('.')}: ${printed(value)}`);
    for (const warning of checkConfig(text ?? '', file).warnings) call.err(warning);
    call.out(appliesText[applies]);
  }
  return 0;
};

const appliesText = {
  now: 'The running daemon applies it now.',
  start: 'The daemon is not running. It applies when it starts.',
  restart: 'Run `drover restart` to apply it.',
  setup: 'Run `drover setup --tmux` to apply it.',
} as const;

const whenApplied = async ({ paths }: Call, field: string): Promise<keyof typeof appliesText> => {
  if (setupFields.includes(field)) return 'setup';
  const daemon = await runningDaemon(paths).catch(() => null);
  if (!daemon) return 'start';
  return restartFields.includes(field) ? 'restart' : 'now';
};

/** Checks the file, and whether the running daemon uses it. */
const check = async (call: Call): Promise<number> => {
  const { problems, warnings } = checkConfig(readText(call.paths.config) ?? '', call.paths.config);
  const daemon = await runningDaemon(call.paths).catch(() => null);
  const { restart = [], problem = null } = configOf(daemon) ?? {};
  if (flag(call, 'json'))
    call.out(JSON.stringify({ ok: problems.length === 0, problems, warnings, restart }));
  else {
    for (const problem of problems) call.out(problem);
    for (const warning of warnings) call.out(warning);
    if (problems.length === 0) call.out(`${call.paths.config} is valid.`);
    else if (daemon) call.out('The running daemon keeps the previous config.');
    if (problems.length === 0 && problem !== null)
      call.out(`The running daemon keeps the previous config: ${problem}`);
    if (restart.length)
      call.out(`Changed, and applied only after \`drover restart\`: ${restart.join(', ')}.`);
  }
  return problems.length ? 1 : 0;
};

/** A daemon of an earlier version says nothing about its config. */
const configOf = (status: { config?: ConfigStatus } | null): ConfigStatus | undefined => status?.config;
