/** What is to be run, and where. */
import { DroverError } from '../contract/error.ts';
import { claudeDir, type Env } from '../paths.ts';

export interface Plan {
  id: string;
  /** The id of a fork, where it was chosen beforehand. */
  copy?: string;
  dir: string;
  argv: string[];
  /** Variables that must be set for it; absent when there are none. */
  env?: Record<string, string>;
}

export interface Wish {
  id: string;
  dir: string;
  /** The program. */
  claude: string;
  /** The Claude folder that has the transcript. */
  claudeDir: string;
  fork?: boolean;
  /** The id that a fork is to have; without one the CLI chooses. */
  copy?: string;
  danger?: boolean;
  /** What stood behind `--`. */
  rest?: string[];
}

export const planOf = (wish: Wish, env: Env): Plan => {
  const { id, dir, claude, copy, fork = false, danger = false, rest = [] } = wish;
  const argv = [
    claude,
    '--resume',
    id,
    ...(fork ? ['--fork-session'] : []),
    ...(copy ? ['--session-id', copy] : []),
    ...(danger ? ['--dangerously-skip-permissions'] : []),
    ...checked(rest),
  ];
  const elsewhere = wish.claudeDir !== claudeDir(env);
  return {
    id,
    ...(copy && { copy }),
    dir,
    argv,
    ...(elsewhere && { env: { CLAUDE_CONFIG_DIR: wish.claudeDir } }),
  };
};

/** Which session it is has been said already. */
const checked = (rest: string[]): string[] => {
  const wrong = rest.find(word => /^(?:--resume|--continue|--session-id|-r|-c)(?:=|$)/.test(word));
  if (wrong) throw new DroverError('usage', `${wrong} cannot be passed on: the session is named already.`);
  return rest;
};

/** A command line as it can be pasted into a shell. */
export const shellLine = (argv: string[]): string => argv.map(quoted).join(' ');

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
