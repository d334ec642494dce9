/** Plan the command line that resumes a session. */
import { DroverError } from '../contract/error.ts';
import { claudeDir, type Env } from '../paths.ts';
import { quote } from '../quote.ts';

export interface Plan {
  id: string;
  /** The id of the fork, if it was chosen in advance. */
  copy?: string;
  dir: string;
  argv: string[];
  /** Variables to set, if any. */
  env?: Record<string, string>;
}

export interface ResumeOptions {
  id: string;
  dir: string;
  /** Path of the CLI. */
  claude: string;
  /** The Claude folder with the transcript. */
  claudeDir: string;
  fork?: boolean;
  /** The id for a fork; without it the CLI chooses one. */
  copy?: string;
  danger?: boolean;
  /** Arguments after `--`. */
  rest?: string[];
}

export const planOf = (options: ResumeOptions, env: Env): Plan => {
  const { id, dir, claude, copy, fork = false, danger = false, rest = [] } = options;
  const argv = [
    claude,
    '--resume',
    id,
    ...(fork ? ['--fork-session'] : []),
    ...(copy ? ['--session-id', copy] : []),
    ...(danger ? ['--dangerously-skip-permissions'] : []),
    ...checkRest(rest),
  ];
  const isOtherDir = options.claudeDir !== claudeDir(env);
  return {
    id,
    ...(copy && { copy }),
    dir,
    argv,
    ...(isOtherDir && { env: { CLAUDE_CONFIG_DIR: options.claudeDir } }),
  };
};

/** Reject flags that select another session. */
const checkRest = (rest: string[]): string[] => {
  const wrong = rest.find(arg => /^(?:--resume|--continue|--session-id|-r|-c)(?:=|$)/.test(arg));
  if (wrong) throw new DroverError('usage', `${wrong} cannot be passed on: the session is already chosen.`);
  return rest;
};

/** Format a command line that can be pasted into a shell. */
export const shellLine = (argv: string[]): string => argv.map(quoteIfNeeded).join(' ');

const quoteIfNeeded = (arg: string): string => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : quote(arg));
