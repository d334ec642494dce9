/** What one run is asked to do, checked. */
import type { Env } from '../paths.ts';

export const formats = ['text', 'json', 'stream-json'] as const;
export type Format = (typeof formats)[number];

export const policies = ['fail', 'wait'] as const;
/** What becomes of a permission dialog in the middle of a run. */
export type OnPermission = (typeof policies)[number];

export interface Prompt {
  text: string;
  /** It stood on our own command line, where `ps` shows it already: it may stand on the CLI's too. */
  shown: boolean;
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
  /** Answer the trust dialog. */
  trust: boolean;
  /** Mark the folder as trusted beforehand. */
  pretrust: boolean;
  /** All in ms. */
  limits: { overall: number; firstOutput: number; firstLine: number; stop: number };
  env: Env;
  cwd: string;
}
