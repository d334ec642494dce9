/** Registers and removes Drover's status line in a settings file, with record and backup. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Env, Paths } from '../../paths.ts';
import script from '../statusline.sh';
import type { Edited } from './edit-file.ts';
import { preview } from './install.ts';
import { readRecord } from './record.ts';
import { applyRecorded, type RecordedEdit, undoRecorded } from './recorded-edit.ts';
import { addStatusLine, dropStatusLine, type UndoStatusLine } from './status-line.ts';

/** Registers the status line. Records first what is needed to undo it. */
export const registerStatusLine = (name: string, paths: Paths, env: Env): Edited => {
  writeScript(paths);
  return applyRecorded(statusLineIn(name, paths), (before, _, known) =>
    addStatusLine(before, known, env, name),
  );
};

/** Restores the user's own status line, and removes the file and folder if Drover created them. */
export const removeStatusLine = (name: string, paths: Paths): Edited => {
  const edited = undoRecorded(statusLineIn(name, paths), (before, known) =>
    dropStatusLine(before, known, name),
  );
  if (Object.keys(readRecord(paths).statusLines).length === 0)
    for (const path of [paths.statusLine, paths.statusLineSeen, paths.statusLineFacts])
      rmSync(path, { recursive: true, force: true });
  return edited;
};

const statusLineIn = (name: string, paths: Paths): RecordedEdit<UndoStatusLine> => ({
  name,
  paths,
  entriesOf: ({ statusLines }) => statusLines,
});

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
