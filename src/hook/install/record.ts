/** setup.json: what setup wrote, and where, so that it can be taken back. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import type { Paths } from '../../paths.ts';
import { RulesGround } from './deny-rules.ts';
import { Ground } from './ground.ts';
import { scopes } from './scope.ts';

const FileRecord = z.object({
  /** The name under which it was asked for; the key in `files` is the file behind all links. */
  name: z.string(),
  scope: z.enum(scopes),
  ground: Ground,
  /** The topmost folder that had to be made for it. */
  madeFolder: z.string().optional(),
});

const RulesRecord = z.object({
  name: z.string(),
  ground: RulesGround,
  madeFolder: z.string().optional(),
});

export const SetupRecord = z.looseObject({
  /** Settings files that hold own entries, by real path. */
  files: z.record(z.string(), FileRecord).default({}),
  /** Settings files that hold rules of `setup --protect`, by real path. */
  protected: z.record(z.string(), RulesRecord).default({}),
  /** Links to the program under further names, by path; the value is what they point to. */
  aliases: z.record(z.string(), z.string()).default({}),
  /** The tmux.conf that sources ours, and whether setup had to make it. */
  tmuxConf: z.object({ file: z.string(), made: z.boolean() }).optional(),
  /** Setup has switched autostart on once; after that the flag file is the user's word. */
  autostart: z.boolean().default(false),
});
export type SetupRecord = z.infer<typeof SetupRecord>;

/** The record; an unreadable one counts as none, for entries are recognised without it. */
export const readRecord = (paths: Paths): SetupRecord => {
  try {
    return SetupRecord.parse(JSON.parse(readFileSync(paths.setup, 'utf8')));
  } catch {
    return SetupRecord.parse({});
  }
};

/** Changes the record, by rename. */
export const changeRecord = (paths: Paths, change: (record: SetupRecord) => void): void => {
  const record = readRecord(paths);
  const before = JSON.stringify(record);
  change(record);
  if (JSON.stringify(record) === before) return;
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
  const temp = `${paths.setup}.${process.pid}`;
  writeFileSync(temp, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(temp, paths.setup);
};

/** What the first of two entries found in an empty or missing file is needed by the one that is taken out last. */
export const inheritGround = (
  to: { ground: Pick<Ground, 'blank' | 'root'>; madeFolder?: string | undefined },
  from: { ground: Pick<Ground, 'blank' | 'root'>; madeFolder?: string | undefined },
): void => {
  if (to.ground.blank === undefined && from.ground.blank !== undefined) to.ground.blank = from.ground.blank;
  if (to.ground.root === undefined && from.ground.root !== undefined) to.ground.root = from.ground.root;
  if (to.madeFolder === undefined && from.madeFolder !== undefined) to.madeFolder = from.madeFolder;
};

/** Forgets that setup ever ran. */
export const deleteRecord = (paths: Paths): void => rmSync(paths.setup, { force: true });
