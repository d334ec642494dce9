/** Registers and removes Drover's hooks in a settings file, with record and backup. */
import { rmdirSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { watchable } from '../../claude/hook-events.ts';
import type { Env, Paths } from '../../paths.ts';
import { backUp } from './backup.ts';
import { type Handler, handlerFor } from './command.ts';
import { type Edited, editFile } from './edit-file.ts';
import type { UndoHooks } from './undo-hooks.ts';
import { merge, unmerge } from './merge.ts';
import { changeRecord, inheritUndo, readRecord, type SetupRecord } from './record.ts';
import type { Scope } from './scope.ts';
import { attempt, decode, follow, readBytes } from './target.ts';

export interface Place {
  /** Settings file as the user gave it; may be a link. */
  name: string;
  scope: Scope;
  paths: Paths;
}

/** Registers the handlers. Records first what is needed to undo it. */
export const installHooks = ({ name, scope, paths }: Place, wanted: ReadonlyMap<string, Handler>): Edited => {
  let made: string | undefined;
  const remember = (target: string, undo: UndoHooks) =>
    changeRecord(paths, record => {
      const madeFolder = made ?? folderMadeFor(target, record);
      record.files[target] = { name, scope, ground: undo, ...(madeFolder ? { madeFolder } : {}) };
    });
  let last: UndoHooks = { events: {} };
  const edited = editFile(
    name,
    (before, target) => {
      const { text, undo } = merge(before, wanted, readRecord(paths).files[target]?.ground, name);
      remember(target, (last = undo));
      return text;
    },
    {
      keep: (target, before) => void backUp(paths, target, before),
      made: folder => {
        made = folder;
      },
    },
  );
  if (made) remember(edited.target, last);
  return edited;
};

/** Removes own entries, and the file and folder if Drover created them. */
export const removeHooks = (name: string, paths: Paths): Edited => {
  const known = readRecord(paths).files;
  const edited = editFile(
    name,
    (before, target) => (before === null ? null : unmerge(before, known[target]?.ground, name)),
    { keep: (target, before) => void backUp(paths, target, before) },
  );
  const top = known[edited.target]?.madeFolder;
  if (edited.after === null && top) removeEmpty(dirname(edited.target), top);
  changeRecord(paths, record => {
    const rules = record.protected[edited.target] ?? record.statusLines[edited.target];
    const removed = record.files[edited.target];
    if (rules && removed) inheritUndo(rules, removed);
    delete record.files[edited.target];
  });
  return edited;
};

/** Returns the change that `installHooks` would make. */
export const previewInstall = ({ name, paths }: Place, wanted: ReadonlyMap<string, Handler>): Edited =>
  preview(
    name,
    (before, target) => merge(before, wanted, readRecord(paths).files[target]?.ground, name).text,
  );

/** Returns the change that `removeHooks` would make. */
export const previewRemove = (name: string, paths: Paths): Edited =>
  preview(name, (before, target) =>
    before === null ? null : unmerge(before, readRecord(paths).files[target]?.ground, name),
  );

/** Returns the handlers by event that all these versions support. */
export const wantedHandlers = (versions: string[], optIn: string[], env: Env): Map<string, Handler> =>
  new Map(watchable(versions, optIn).map(event => [event, handlerFor(event, env)]));

/** Returns the result of an edit without writing it. */
export const preview = (
  name: string,
  edit: (before: string | null, target: string) => string | null,
): Edited => {
  const target = follow(name);
  const bytes = readBytes(target);
  const before = bytes && decode(bytes, name);
  return { target, before, after: edit(before, target) };
};

/** Returns the folder created for this file or for another one in it; the last file removes it. */
const folderMadeFor = (target: string, { files }: SetupRecord): string | undefined =>
  Object.values(files)
    .map(({ madeFolder }) => madeFolder)
    .find(folder => folder !== undefined && target.startsWith(folder + sep));

/** Removes empty folders up to `top`. */
export const removeEmpty = (folder: string, top: string): void => {
  for (let at = folder; at.startsWith(top); at = dirname(at)) {
    if (attempt(() => rmdirSync(at) ?? true) === null) return;
  }
};
