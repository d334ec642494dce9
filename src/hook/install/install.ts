/** Own hooks into and out of one settings file on disk, with its record and its backup. */
import { rmdirSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { watchable } from '../../claude/hook-events.ts';
import type { Env, Paths } from '../../paths.ts';
import { backUp } from './backup.ts';
import { type Handler, handlerFor } from './command.ts';
import { type Edited, editFile } from './edit-file.ts';
import type { Ground } from './ground.ts';
import { merge, unmerge } from './merge.ts';
import { changeRecord, inheritGround, readRecord, type SetupRecord } from './record.ts';
import type { Scope } from './scope.ts';
import { attempt, decode, follow, readBytes } from './target.ts';

export interface Place {
  /** The settings file as it was asked for; it may be a link. */
  name: string;
  scope: Scope;
  paths: Paths;
}

/** Registers the handlers, and writes down first what will be needed to take them back. */
export const installHooks = ({ name, scope, paths }: Place, wanted: ReadonlyMap<string, Handler>): Edited => {
  let made: string | undefined;
  const remember = (target: string, ground: Ground) =>
    changeRecord(paths, record => {
      const madeFolder = made ?? folderMadeFor(target, record);
      record.files[target] = { name, scope, ground, ...(madeFolder ? { madeFolder } : {}) };
    });
  let last: Ground = { events: {} };
  const edited = editFile(
    name,
    (before, target) => {
      const { text, ground } = merge(before, wanted, readRecord(paths).files[target]?.ground, name);
      remember(target, (last = ground));
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

/** Takes the own entries out of a settings file, and the file and folder with them if Drover had made those. */
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
    const rules = record.protected[edited.target];
    const gone = record.files[edited.target];
    if (rules && gone) inheritGround(rules, gone);
    delete record.files[edited.target];
  });
  return edited;
};

/** The change that `installHooks` would make; nothing is written. */
export const previewInstall = ({ name, paths }: Place, wanted: ReadonlyMap<string, Handler>): Edited =>
  preview(
    name,
    (before, target) => merge(before, wanted, readRecord(paths).files[target]?.ground, name).text,
  );

/** The change that `removeHooks` would make; nothing is written. */
export const previewRemove = (name: string, paths: Paths): Edited =>
  preview(name, (before, target) =>
    before === null ? null : unmerge(before, readRecord(paths).files[target]?.ground, name),
  );

/** The handlers for all CLIs of these versions, by event. */
export const wantedHandlers = (versions: string[], optIn: string[], env: Env): Map<string, Handler> =>
  new Map(watchable(versions, optIn).map(event => [event, handlerFor(event, env)]));

/** What an edit would make of a file; nothing is written. */
export const preview = (
  name: string,
  edit: (before: string | null, target: string) => string | null,
): Edited => {
  const target = follow(name);
  const bytes = readBytes(target);
  const before = bytes && decode(bytes, name);
  return { target, before, after: edit(before, target) };
};

/** The folder made for this file, or for another one that lives in it too: the last of them takes it away. */
const folderMadeFor = (target: string, { files }: SetupRecord): string | undefined =>
  Object.values(files)
    .map(({ madeFolder }) => madeFolder)
    .find(folder => folder !== undefined && target.startsWith(folder + sep));

/** Removes the folder and its parents up to `top`, as far as they are empty. */
export const removeEmpty = (folder: string, top: string): void => {
  for (let at = folder; at.startsWith(top); at = dirname(at)) {
    if (attempt(() => rmdirSync(at) ?? true) === null) return;
  }
};
