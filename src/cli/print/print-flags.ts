/** Translates our flags into those of the CLI, and checks those after `--`. */
import { DroverError } from '../../contract/error.ts';
import { type Call, flag, list, text } from '../verb.ts';

export interface ClaudeFlags {
  flags: string[];
  settings: string | null;
  resumes: boolean;
}

/** Passes every value with `=`, because a flag with several values would swallow the prompt. */
export const claudeFlags = (call: Call): ClaudeFlags => {
  const { settings, flags: passed } = withoutSettings(call.rest);
  const unsupported = passed.find(arg => /^(?:-p|--print|--output-format|--input-format)(?:=|$)/.test(arg));
  if (unsupported)
    throw new DroverError(
      'usage',
      `drover print: ${unsupported} is a flag of \`claude -p\`, not of the interactive CLI.`,
      'See `drover print --help`.',
    );
  const one = (name: string): string[] => {
    const value = text(call, name);
    return value === undefined ? [] : [`--${name}=${value}`];
  };
  const servers = list(call, 'mcp-config').flatMap(value => commaParts(value));
  const flags = [
    ...one('model'),
    ...one('allowedTools'),
    ...one('disallowedTools'),
    ...one('append-system-prompt'),
    ...one('permission-mode'),
    ...one('session-id'),
    ...one('resume'),
    ...(flag(call, 'continue') ? ['--continue'] : []),
    ...(flag(call, 'dangerously-skip-permissions') ? ['--dangerously-skip-permissions'] : []),
    ...list(call, 'add-dir').map(dir => `--add-dir=${dir}`),
    ...(servers.length ? ['--strict-mcp-config', ...servers.map(server => `--mcp-config=${server}`)] : []),
    ...passed,
  ];
  return { flags, settings, resumes: flags.some(arg => /^(?:-r|-c|--resume|--continue)(?:=|$)/.test(arg)) };
};

/** JSON text may contain commas. */
const commaParts = (value: string): string[] =>
  value.trimStart().startsWith('{') ? [value] : value.split(',').filter(Boolean);

const withoutSettings = (rest: string[]): { settings: string | null; flags: string[] } => {
  const at = rest.findIndex(arg => arg === '--settings' || arg.startsWith('--settings='));
  if (at < 0) return { settings: null, flags: rest };
  const [arg = ''] = rest.slice(at);
  const joined = arg.startsWith('--settings=');
  return {
    settings: joined ? arg.slice('--settings='.length) : (rest[at + 1] ?? ''),
    flags: [...rest.slice(0, at), ...rest.slice(at + (joined ? 1 : 2))],
  };
};
