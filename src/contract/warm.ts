/** Warm runs: CLIs that already wait for the prompt of a `drover print`. */
import * as z from 'zod';

const NoNul = z.string().refine(text => !text.includes('\0'), 'must not contain NUL');

/** What a CLI is started with. Only a run with the same options gets it. */
export const WarmLaunch = z.strictObject({
  /** An absolute path. */
  cwd: NoNul.refine(path => path.startsWith('/'), 'must be an absolute path'),
  /** The CLI that the caller would start. */
  claude: NoNul,
  flags: z.array(NoNul).max(200),
  settings: z.record(z.string(), z.unknown()),
  inherit_hooks: z.boolean(),
  /** Its requests will be held, and its prompt waits for that. */
  hold: z.boolean(),
  env: z.record(z.string(), NoNul),
});
export type WarmLaunch = z.infer<typeof WarmLaunch>;

/** A reserved CLI: the folders of the run, its terminal and its process. */
export const WarmRun = z.object({
  name: z.string(),
  folders: z.array(z.string()).min(1),
  pid: z.number().int(),
  pane: z.string(),
  cliPid: z.number().int(),
  start: z.string().nullable(),
});
export type WarmRun = z.infer<typeof WarmRun>;

export const Warm = z.object({
  /** Null when there is none; `why` has the reason. */
  run: WarmRun.nullable(),
  why: z.string().nullable(),
});
export type Warm = z.infer<typeof Warm>;
