/** Types of the verb table, and the call that a verb's `run` receives. */
import { DroverError, type ErrorCode } from '../contract/error.ts';
import type { Env, Paths } from '../paths.ts';
import type { Output } from './output/output.ts';

export interface Option {
  /** Placeholder of the value in the help, e.g. `<port>`; absent for a switch. */
  value?: string;
  short?: string;
  /** The flag may be repeated; its values arrive as a list. */
  repeatable?: boolean;
  /** Values for shell completion. */
  choices?: readonly string[];
  help: string;
}

export interface Verb {
  name: string;
  /** Positional arguments in the help, e.g. `[session]`; empty for none. */
  args: string;
  /** One sentence without a period that starts with a verb. */
  summary: string;
  options: Record<string, Option>;
  /** Paragraphs and examples after the flags. */
  details?: string;
  /** Accepts arguments after `--`. */
  passThrough?: boolean;
  /** Needs the daemon, which is started if autostart allows it. */
  daemon?: true;
  /** Exit codes that differ from the error table, for compatibility with the command it replaces. */
  exits?: Partial<Record<ErrorCode, number>>;
  load: () => Promise<{ run: (call: Call) => Promise<number> | number }>;
}

export interface Call extends Output {
  verb: Verb;
  args: string[];
  options: Record<string, string | boolean | string[] | undefined>;
  /** Arguments after `--`. */
  rest: string[];
  env: Env;
  paths: Paths;
  cwd: string;
  /** Whether standard output is a terminal. */
  tty: boolean;
}

/** Returns the value of a flag, or undefined. */
export const text = (call: Call, name: string): string | undefined => {
  const value = call.options[name];
  return typeof value === 'string' ? value : undefined;
};

/** Returns the first argument, or throws a usage error if it is missing. */
export const firstArg = (call: Call, name: string): string => {
  const [arg] = call.args;
  if (!arg)
    throw new DroverError(
      'usage',
      `\`drover ${call.verb.name}\` needs a ${name}.`,
      name === 'session' ? '`drover ls` lists them.' : `See \`drover ${call.verb.name} --help\`.`,
    );
  return arg;
};

/** Builds the usage error for a missing or unknown action of a verb. */
export const unknownAction = ({ verb }: Call, action: string | undefined): DroverError =>
  new DroverError(
    'usage',
    action
      ? `drover ${verb.name}: unknown action ${JSON.stringify(action)}.`
      : `drover ${verb.name}: the action is missing.`,
    `See \`drover ${verb.name} --help\`.`,
  );

export const flag = (call: Call, name: string): boolean => call.options[name] === true;

export const list = (call: Call, name: string): string[] => {
  const value = call.options[name];
  return Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
};
