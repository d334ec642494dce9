/** What a verb is: a row of the table in verbs.ts, and the call its file receives. */
import { DroverError, type ErrorCode } from '../contract/error.ts';
import type { Env, Paths } from '../paths.ts';
import type { Output } from './output/output.ts';

export interface Option {
  /** What stands behind the flag in the help, e.g. `<port>`; absent for a switch. */
  value?: string;
  short?: string;
  /** The flag may be given several times; its values arrive as a list. */
  many?: boolean;
  /** The values a shell may complete. */
  choices?: readonly string[];
  help: string;
}

export interface Verb {
  name: string;
  /** Positional words in the help, e.g. `[session]`; empty for none. */
  words: string;
  summary: string;
  options: Record<string, Option>;
  /** Further paragraphs and examples for `--help`. */
  more?: string;
  /** Everything after `--` is passed on instead of refused. */
  passThrough?: boolean;
  /** Does nothing without the daemon, which is started for it where that is allowed. */
  daemon?: true;
  /** Exit codes of its own, where it keeps those of the command that it stands for. */
  exits?: Partial<Record<ErrorCode, number>>;
  load: () => Promise<{ run: (call: Call) => Promise<number> | number }>;
}

export interface Call extends Output {
  verb: Verb;
  words: string[];
  options: Record<string, string | boolean | string[] | undefined>;
  /** What stood behind `--`. */
  rest: string[];
  env: Env;
  paths: Paths;
  cwd: string;
  /** Standard output is a terminal. */
  tty: boolean;
}

/** The value of a flag that takes one, or undefined. */
export const text = (call: Call, name: string): string | undefined => {
  const value = call.options[name];
  return typeof value === 'string' ? value : undefined;
};

/** The one word that a verb cannot do without. */
export const oneWord = (call: Call, name: string): string => {
  const [word] = call.words;
  if (!word)
    throw new DroverError(
      'usage',
      `drover ${call.verb.name}: name a ${name}.`,
      `See \`drover ${call.verb.name} --help\`.`,
    );
  return word;
};

/** The error for a verb with actions that was given another one, or none. */
export const noSuchAction = ({ verb }: Call, action: string | undefined): DroverError =>
  new DroverError(
    'usage',
    action
      ? `drover ${verb.name}: there is no action ${JSON.stringify(action)}.`
      : `drover ${verb.name}: name an action.`,
    `See \`drover ${verb.name} --help\`.`,
  );

export const flag = (call: Call, name: string): boolean => call.options[name] === true;

export const list = (call: Call, name: string): string[] => {
  const value = call.options[name];
  return Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
};
