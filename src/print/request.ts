/** What one run is asked to do, checked. */
import { limits } from '../limits.ts';
import type { Env } from '../paths.ts';
import type { Launch } from '../driver/launch/private-cli.ts';

export const formats = ['text', 'json', 'stream-json'] as const;
export type Format = (typeof formats)[number];

export const policies = ['fail', 'wait', 'hold'] as const;
/** What becomes of a permission dialog in the middle of a run. */
export type OnPermission = (typeof policies)[number];

export interface Prompt {
  text: string;
  /** It stood on our own command line, where `ps` shows it already: it may stand on the CLI's too. */
  shown: boolean;
}

/** With `hold`: what is asked of the daemon. */
export interface Holding {
  /** Hooks that tell it what the session asks, as settings have them. */
  hooks: Record<string, unknown[]>;
  /** Lets the requests of this session wait for an answer; throws when it cannot. */
  hold: (sessionId: string) => Promise<void>;
  /** Whether one of them waits now. */
  holds: (sessionId: string) => Promise<boolean>;
}

export interface Request {
  prompt: Prompt;
  format: Format;
  /** The Claude CLI, and its version where its place tells. */
  claude: { path: string; version: string | null };
  /** Flags for the CLI. */
  flags: string[];
  /** A settings file or JSON text of the caller's, merged with the run's own: the CLI takes one. */
  settings: string | null;
  /** The session goes on from an earlier one: its transcript is not empty. */
  resumes: boolean;
  inheritHooks: boolean;
  maxTurns: number | null;
  onPermission: OnPermission;
  /** Null unless `onPermission` is `hold`. */
  holding: Holding | null;
  /** Answer the trust dialog. */
  trust: boolean;
  /** Mark the folder as trusted beforehand. */
  pretrust: boolean;
  /** All in ms. */
  limits: { overall: number; firstOutput: number; firstLine: number; stop: number };
  env: Env;
  cwd: string;
}

/** The prompt goes on as an argument only if it stood on a command line before, and if one argument can hold it. */
export const promptAsArgument = ({ prompt }: Request): boolean =>
  prompt.shown && Buffer.byteLength(prompt.text) <= limits.print.argumentBytes;

export const launchOf = (request: Request): Launch => {
  const { claude, flags, inheritHooks, env, cwd } = request;
  const prompt = promptAsArgument(request) ? request.prompt.text : null;
  return { claude: claude.path, flags, inheritHooks, prompt, env, cwd };
};
