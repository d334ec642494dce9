/** Registers and removes Drover's status line in a settings file, with record and backup. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Env, Paths } from '../../paths.ts';
import script from '../statusline.sh';
import { backUp } from './backup.ts';
import { type Edited, editFile } from './edit-file.ts';
import { preview, removeEmpty } from './install.ts';
import { changeRecord, inheritUndo, readRecord } from './record.ts';
import { addStatusLine, dropStatusLine, type UndoStatusLine } from './status-line.ts';

/** Registers the status line. Records first what is needed to undo it. */
export const registerStatusLine = (name: string, paths: Paths, env: Env): Edited => {
  let made: string | undefined;
  const remember = (target: string, ground: UndoStatusLine) =>
    changeRecord(paths, record => {
      const madeFolder = made ?? record.statusLines[target]?.madeFolder;
      record.statusLines[target] = { name, ground, ...(madeFolder ? { madeFolder } : {}) };
    });
  writeScript(paths);
  const edited = editFile(
    name,
    (before, target) => {
      const { text, undo } = addStatusLine(before, readRecord(paths).statusLines[target]?.ground, env, name);
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
  const ground = readRecord(paths).statusLines[edited.target]?.ground;
  if (made && ground) remember(edited.target, ground);
  return edited;
};

/** Restores the user's own status line, and removes the file and folder if Drover created them. */
export const removeStatusLine = (name: string, paths: Paths): Edited => {
  const known = readRecord(paths).statusLines;
  const edited = editFile(
    name,
    (before, target) => (before === null ? null : dropStatusLine(before, known[target]?.ground, name)),
    { keep: (target, before) => void backUp(paths, target, before) },
  );
  const top = known[edited.target]?.madeFolder;
  if (edited.after === null && top) removeEmpty(dirname(edited.target), top);
  changeRecord(paths, record => {
    const removed = record.statusLines[edited.target];
    const heir = record.files[edited.target] ?? record.protected[edited.target];
    if (heir && removed) inheritUndo(heir, removed);
    delete record.statusLines[edited.target];
  });
  if (Object.keys(readRecord(paths).statusLines).length === 0)
    for (const path of [paths.statusLine, paths.statusLineSeen, paths.statusLineFacts])
      rmSync(path, { recursive: true, force: true });
  return edited;
};

/** Returns the change that `registerStatusLine` would make. */
export const previewStatusLine = (name: string, paths: Paths, env: Env): Edited =>
  preview(
    name,
    (before, target) => addStatusLine(before, readRecord(paths).statusLines[target]?.ground, env, name).text,
  );

/** Returns the change that `removeStatusLine` would make. */
export const previewNoStatusLine = (name: string, paths: Paths): Edited =>
  preview(name, (before, target) =>
    before === null ? null : dropStatusLine(before, readRecord(paths).statusLines[target]?.ground, name),
  );

/** Replaces a script of another version, where the status line is registered. */
export const updateStatusLine = (paths: Paths): void => {
  if (Object.keys(readRecord(paths).statusLines).length > 0) writeScript(paths);
};

const writeScript = (paths: Paths): void => {
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
  if (current(paths.statusLine) === script) return;
  const temp = `${paths.statusLine}.${process.pid}`;
  writeFileSync(temp, script, { mode: 0o600 });
  renameSync(temp, paths.statusLine);
};

const current = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};
