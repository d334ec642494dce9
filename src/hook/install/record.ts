/** setup.json records what setup changed, so that it can be undone. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import type { Paths } from '../../paths.ts';
import { UndoRules } from './deny-rules.ts';
import { UndoHooks } from './undo-hooks.ts';
import { scopes } from './scope.ts';
import { UndoStatusLine } from './status-line.ts';

const FileRecord = z.object({
  /** Path as the user gave it; the key in `files` is the link target. */
  name: z.string(),
  scope: z.enum(scopes),
  /** Stored under this name since the first version. */
  ground: UndoHooks,
  /** Topmost folder that setup created for it. */
  madeFolder: z.string().optional(),
});

const RulesRecord = z.object({
  name: z.string(),
  ground: UndoRules,
  madeFolder: z.string().optional(),
});

const StatusLineRecord = z.object({
  name: z.string(),
  ground: UndoStatusLine,
  madeFolder: z.string().optional(),
});

export const SetupRecord = z.looseObject({
  /** Settings files with Drover's hooks, by real path. */
  files: z.record(z.string(), FileRecord).default({}),
  /** Settings files with rules of `setup --protect`, by real path. */
  protected: z.record(z.string(), RulesRecord).default({}),
  /** Settings files with the status line, by real path. */
  statusLines: z.record(z.string(), StatusLineRecord).default({}),
  /** Alias links and their targets. */
  aliases: z.record(z.string(), z.string()).default({}),
  /** The user's tmux.conf, and whether setup created it. */
  tmuxConf: z.object({ file: z.string(), made: z.boolean() }).optional(),
  /** Setup has turned autostart on once; after that only the user changes it. */
  autostart: z.boolean().default(false),
  /** Somebody has said whether to notify; setup does not ask again. */
  notifyAsked: z.boolean().default(false),
});
export type SetupRecord = z.infer<typeof SetupRecord>;

/** Reads the record. An unreadable one counts as empty, because hooks are recognised without it. */
export const readRecord = (paths: Paths): SetupRecord => {
  try {
    return SetupRecord.parse(JSON.parse(readFileSync(paths.setup, 'utf8')));
  } catch {
    return SetupRecord.parse({});
  }
};

/** Changes the record atomically. */
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

/** Hands over the undo information of an empty or missing file to the entry that is removed last. */
export const inheritUndo = (
  to: { ground: Pick<UndoHooks, 'blank' | 'root'>; madeFolder?: string | undefined },
  from: { ground: Pick<UndoHooks, 'blank' | 'root'>; madeFolder?: string | undefined },
): void => {
  if (to.ground.blank === undefined && from.ground.blank !== undefined) to.ground.blank = from.ground.blank;
  if (to.ground.root === undefined && from.ground.root !== undefined) to.ground.root = from.ground.root;
  if (to.madeFolder === undefined && from.madeFolder !== undefined) to.madeFolder = from.madeFolder;
};

/** Deletes the record. */
export const deleteRecord = (paths: Paths): void => rmSync(paths.setup, { force: true });
