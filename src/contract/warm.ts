/** Warm runs: a CLI that waits for the one prompt of a `drover print`. */
import * as z from 'zod';

const NoNul = z.string().refine(text => !text.includes('\0'), 'must not contain NUL');

/** All that a CLI is started with. Only a run that would start it with the same gets it. */
export const WarmWish = z.strictObject({
  /** An absolute path. */
  cwd: NoNul.refine(path => path.startsWith('/'), 'must be an absolute path'),
  /** The CLI that the caller would start. */
  claude: NoNul,
  flags: z.array(NoNul).max(200),
  settings: z.record(z.string(), z.unknown()),
  inherit_hooks: z.boolean(),
  /** What it asks will be held: its prompt waits for that. */
  hold: z.boolean(),
  env: z.record(z.string(), NoNul),
});
export type WarmWish = z.infer<typeof WarmWish>;

/** What is handed over: the folders of the run, its terminal and its CLI. */
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
  /** Null: there is none, and `why` says why. */
  run: WarmRun.nullable(),
  why: z.string().nullable(),
});
export type Warm = z.infer<typeof Warm>;
