/** The validated request for one run. */
import type { Env } from '../paths.ts';
import type { Launch } from '../driver/launch/private-cli.ts';

export const formats = ['text', 'json', 'stream-json'] as const;
export type Format = (typeof formats)[number];

export const policies = ['fail', 'wait', 'hold'] as const;
/** What to do with a permission dialog during a run. */
export type OnPermission = (typeof policies)[number];

/** With `hold`: the daemon's part. */
export interface Holding {
  /** Hooks that report the session's requests to it, for the settings file. */
  hooks: Record<string, unknown[]>;
  /** Holds the requests of this session for an answer; throws when it cannot. */
  hold: (sessionId: string) => Promise<void>;
  /** Whether one of them is held now. */
  holds: (sessionId: string) => Promise<boolean>;
}

export interface Request {
  prompt: string;
  format: Format;
  /** The Claude CLI, and its version if the path shows it. */
  claude: { path: string; version: string | null };
  /** Flags for the CLI. */
  flags: string[];
  /** The caller's settings, a file or JSON text. They are merged with the run's own. */
  settings: string | null;
  /** The session continues an earlier one, so its transcript is not empty. */
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

export const launchOf = ({ claude, flags, inheritHooks, env, cwd }: Request): Launch => ({
  claude: claude.path,
  flags,
  inheritHooks,
  env,
  cwd,
});
