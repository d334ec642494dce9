/** Registers and removes Drover's hooks in a settings file, with record and backup. */
import { eventsForAll } from '../../claude/hook-events.ts';
import type { Env, Paths } from '../../paths.ts';
import { type Handler, handlerFor } from './command.ts';
import type { Edited } from './edit-file.ts';
import type { UndoHooks } from './undo-hooks.ts';
import { merge, unmerge } from './merge.ts';
import { readRecord } from './record.ts';
import { applyRecorded, type RecordedEdit, undoRecorded } from './recorded-edit.ts';
import type { Scope } from './scope.ts';
import { decode, follow, readBytes } from './target.ts';

export interface Place {
  /** Settings file as the user gave it; may be a link. */
  name: string;
  scope: Scope;
  paths: Paths;
}

/** Registers the handlers. Records first what is needed to undo it. */
export const installHooks = ({ name, scope, paths }: Place, wanted: ReadonlyMap<string, Handler>): Edited =>
  applyRecorded(hooksIn(name, paths), (before, _, known) => merge(before, wanted, known, name), { scope });

/** Removes own entries, and the file and folder if Drover created them. */
export const removeHooks = (name: string, paths: Paths): Edited =>
  undoRecorded(hooksIn(name, paths), (before, known) => unmerge(before, known, name));

const hooksIn = (name: string, paths: Paths): RecordedEdit<UndoHooks> => ({
  name,
  paths,
  entriesOf: ({ files }) => files,
});

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
  new Map(eventsForAll(versions, optIn).map(event => [event, handlerFor(event, env)]));

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
