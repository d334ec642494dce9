/** Adds and removes the rules that protect DROVER_HOME in a settings file, with record and backup. */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Paths } from '../../paths.ts';
import { backUp } from './backup.ts';
import { addRules, denyRules, dropRules, type UndoRules } from './deny-rules.ts';
import { type Edited, editFile } from './edit-file.ts';
import { preview, previewRemove, removeEmpty } from './install.ts';
import { changeRecord, inheritUndo, readRecord } from './record.ts';
import { attempt } from './target.ts';

/** Adds the rules to a settings file. Records first what is needed to undo it. */
export const protectHome = (name: string, paths: Paths): Edited => {
  let made: string | undefined;
  const remember = (target: string, undo: UndoRules) => {
    if (undo.rules.length === 0) return;
    changeRecord(paths, record => {
      const madeFolder = made ?? record.protected[target]?.madeFolder;
      record.protected[target] = { name, ground: undo, ...(madeFolder ? { madeFolder } : {}) };
    });
  };
  const edited = editFile(
    name,
    (before, target) => {
      const { text, undo } = added(before, target, name, paths);
      remember(target, undo);
      return text;
    },
    {
      keep: (target, before) => void backUp(paths, target, before),
      made: folder => {
        made = folder;
      },
    },
  );
  const undo = readRecord(paths).protected[edited.target]?.ground;
  if (made && undo) remember(edited.target, undo);
  return edited;
};

/** Removes the rules, and the file and folder if Drover created them. */
export const unprotectHome = (name: string, paths: Paths): Edited => {
  const known = readRecord(paths).protected;
  const edited = editFile(name, (before, target) => withoutRules(before, known[target], name), {
    keep: (target, before) => void backUp(paths, target, before),
  });
  const top = known[edited.target]?.madeFolder;
  if (edited.after === null && top) removeEmpty(dirname(edited.target), top);
  changeRecord(paths, record => {
    const hooks = record.files[edited.target] ?? record.statusLines[edited.target];
    const removed = record.protected[edited.target];
    if (hooks && removed) inheritUndo(hooks, removed);
    delete record.protected[edited.target];
  });
  return edited;
};

/** Returns the change that `protectHome` would make. */
export const previewProtect = (name: string, paths: Paths): Edited =>
  preview(name, (before, target) => added(before, target, name, paths).text);

/** Returns the change that `unprotectHome` would make. */
export const previewUnprotect = (name: string, paths: Paths): Edited =>
  preview(name, (before, target) => withoutRules(before, readRecord(paths).protected[target], name));

/** Returns the change that removing hooks and rules would make. */
export const previewRemoveAll = (name: string, paths: Paths): Edited => {
  const { target, before, after } = previewRemove(name, paths);
  const { files, protected: known } = readRecord(paths);
  const [hooks, rules] = [files[target], known[target]];
  if (hooks && rules) inheritUndo(rules, hooks);
  return { target, before, after: withoutRules(after, rules, name) };
};

const withoutRules = (
  text: string | null,
  known: { ground: UndoRules } | undefined,
  name: string,
): string | null => (text === null || !known ? text : dropRules(text, known.ground, name));

const added = (before: string | null, target: string, name: string, paths: Paths) => {
  const real = attempt(() => realpathSync(paths.home));
  const rules = denyRules(real === null ? [paths.home] : [paths.home, real]);
  return addRules(before, rules, readRecord(paths).protected[target]?.ground, name);
};
