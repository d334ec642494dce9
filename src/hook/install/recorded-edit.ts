/** Edits settings files with record and backup: the same for hooks, deny rules and the status line. */
import { rmdirSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import type { Paths } from '../../paths.ts';
import { backUp } from './backup.ts';
import { type Edited, editFile } from './edit-file.ts';
import { changeRecord, inheritUndo, readRecord, type SetupRecord } from './record.ts';
import { attempt } from './target.ts';
import type { UndoHooks } from './undo-hooks.ts';

/** What undoes one kind of edit in one file. */
interface Entry<Undo> {
  name: string;
  ground: Undo;
  madeFolder?: string | undefined;
}

type AnyUndo = Pick<UndoHooks, 'blank' | 'root'>;

/** One kind of edit of one settings file. */
export interface RecordedEdit<Undo extends AnyUndo> {
  /** Settings file as the user gave it; may be a link. */
  name: string;
  paths: Paths;
  /** The entries of this kind in the record, by target. */
  entriesOf: (record: SetupRecord) => Record<string, Entry<Undo>>;
}

/** Applies an edit, after recording what is needed to undo it. `undo` is null if there is nothing to undo. */
export const applyRecorded = <Undo extends AnyUndo>(
  { name, paths, entriesOf }: RecordedEdit<Undo>,
  edit: (
    before: string | null,
    target: string,
    known: Undo | undefined,
  ) => { text: string | null; undo: Undo | null },
  more: object = {},
): Edited => {
  let made: string | undefined;
  let last: Undo | null = null;
  const remember = (target: string, ground: Undo) =>
    changeRecord(paths, record => {
      const entries = entriesOf(record);
      const madeFolder = made ?? folderMadeFor(target, entries);
      entries[target] = { name, ...more, ground, ...(madeFolder ? { madeFolder } : {}) };
    });
  const edited = editFile(
    name,
    (before, target) => {
      const { text, undo } = edit(before, target, entriesOf(readRecord(paths))[target]?.ground);
      last = undo;
      if (undo) remember(target, undo);
      return text;
    },
    {
      keep: (target, before) => void backUp(paths, target, before),
      made: folder => {
        made = folder;
      },
    },
  );
  if (made && last) remember(edited.target, last);
  return edited;
};

/** Undoes an edit, and removes the file and folder if Drover created them. */
export const undoRecorded = <Undo extends AnyUndo>(
  { name, paths, entriesOf }: RecordedEdit<Undo>,
  undo: (before: string, known: Undo | undefined) => string | null,
): Edited => {
  const known = entriesOf(readRecord(paths));
  const edited = editFile(
    name,
    (before, target) => (before === null ? null : undo(before, known[target]?.ground)),
    { keep: (target, before) => void backUp(paths, target, before) },
  );
  const { target, after } = edited;
  const top = known[target]?.madeFolder;
  if (after === null && top) removeEmpty(dirname(target), top);
  changeRecord(paths, record => {
    const removed = entriesOf(record)[target];
    delete entriesOf(record)[target];
    const heir = record.files[target] ?? record.protected[target] ?? record.statusLines[target];
    if (heir && removed) inheritUndo(heir, removed);
  });
  return edited;
};

/** Returns the folder created for this file or for another one in it; the last file removes it. */
const folderMadeFor = (target: string, entries: Record<string, Entry<unknown>>): string | undefined =>
  Object.values(entries)
    .map(({ madeFolder }) => madeFolder)
    .find(folder => folder !== undefined && target.startsWith(folder + sep));

/** Removes empty folders up to `top`. */
const removeEmpty = (folder: string, top: string): void => {
  for (let at = folder; at.startsWith(top); at = dirname(at)) {
    if (attempt(() => rmdirSync(at) ?? true) === null) return;
  }
};
