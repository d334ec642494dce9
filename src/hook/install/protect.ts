/** Adds and removes the rules that protect DROVER_HOME in a settings file, with record and backup. */
import { realpathSync } from 'node:fs';
import type { Paths } from '../../paths.ts';
import { addRules, denyRules, dropRules, type UndoRules } from './deny-rules.ts';
import type { Edited } from './edit-file.ts';
import { preview, previewRemove } from './install.ts';
import { inheritUndo, readRecord } from './record.ts';
import { applyRecorded, type RecordedEdit, undoRecorded } from './recorded-edit.ts';
import { attempt } from './target.ts';

/** Adds the rules to a settings file. Records first what is needed to undo it. */
export const protectHome = (name: string, paths: Paths): Edited =>
  applyRecorded(rulesIn(name, paths), (before, target) => {
    const { text, undo } = added(before, target, name, paths);
    return { text, undo: undo.rules.length > 0 ? undo : null };
  });

/** Removes the rules, and the file and folder if Drover created them. */
export const unprotectHome = (name: string, paths: Paths): Edited =>
  undoRecorded(rulesIn(name, paths), (before, known) =>
    withoutRules(before, known && { ground: known }, name),
  );

const rulesIn = (name: string, paths: Paths): RecordedEdit<UndoRules> => ({
  name,
  paths,
  entriesOf: record => record.protected,
});

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
