/** The rules that protect DROVER_HOME, into and out of one settings file on disk, with its record and its backup. */
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Paths } from '../../paths.ts';
import { backUp } from './backup.ts';
import { addRules, denyRules, dropRules, type RulesGround } from './deny-rules.ts';
import { type Edited, editFile } from './edit-file.ts';
import { preview, previewRemove, removeEmpty } from './install.ts';
import { changeRecord, inheritGround, readRecord } from './record.ts';
import { attempt } from './target.ts';

/** Adds the rules to the settings file behind `name`, and writes down first what is needed to take them back. */
export const protectHome = (name: string, paths: Paths): Edited => {
  let made: string | undefined;
  const remember = (target: string, ground: RulesGround) => {
    if (ground.rules.length === 0) return;
    changeRecord(paths, record => {
      const madeFolder = made ?? record.protected[target]?.madeFolder;
      record.protected[target] = { name, ground, ...(madeFolder ? { madeFolder } : {}) };
    });
  };
  const edited = editFile(
    name,
    (before, target) => {
      const { text, ground } = added(before, target, name, paths);
      remember(target, ground);
      return text;
    },
    {
      keep: (target, before) => void backUp(paths, target, before),
      made: folder => {
        made = folder;
      },
    },
  );
  const ground = readRecord(paths).protected[edited.target]?.ground;
  if (made && ground) remember(edited.target, ground);
  return edited;
};

/** Takes the rules out again, and the file and folder with them if Drover had made those. */
export const unprotectHome = (name: string, paths: Paths): Edited => {
  const known = readRecord(paths).protected;
  const edited = editFile(name, (before, target) => withoutRules(before, known[target], name), {
    keep: (target, before) => void backUp(paths, target, before),
  });
  const top = known[edited.target]?.madeFolder;
  if (edited.after === null && top) removeEmpty(dirname(edited.target), top);
  changeRecord(paths, record => {
    const hooks = record.files[edited.target];
    const gone = record.protected[edited.target];
    if (hooks && gone) inheritGround(hooks, gone);
    delete record.protected[edited.target];
  });
  return edited;
};

/** The change that `protectHome` would make; nothing is written. */
export const previewProtect = (name: string, paths: Paths): Edited =>
  preview(name, (before, target) => added(before, target, name, paths).text);

/** The change that `unprotectHome` would make; nothing is written. */
export const previewUnprotect = (name: string, paths: Paths): Edited =>
  preview(name, (before, target) => withoutRules(before, readRecord(paths).protected[target], name));

/** The change that taking out hooks and rules would make; nothing is written. */
export const previewRemoveAll = (name: string, paths: Paths): Edited => {
  const { target, before, after } = previewRemove(name, paths);
  const { files, protected: known } = readRecord(paths);
  const [hooks, rules] = [files[target], known[target]];
  if (hooks && rules) inheritGround(rules, hooks);
  return { target, before, after: withoutRules(after, rules, name) };
};

const withoutRules = (
  text: string | null,
  known: { ground: RulesGround } | undefined,
  name: string,
): string | null => (text === null || !known ? text : dropRules(text, known.ground, name));

const added = (before: string | null, target: string, name: string, paths: Paths) => {
  const real = attempt(() => realpathSync(paths.home));
  const rules = denyRules(real === null ? [paths.home] : [paths.home, real]);
  return addRules(before, rules, readRecord(paths).protected[target]?.ground, name);
};
