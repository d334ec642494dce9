/** Edits config.json for `drover wake`, and keeps it private. */
import { chmodSync } from 'node:fs';
import { editFile } from '../../hook/install/edit-file.ts';
import type { Call } from '../verb.ts';

export const editConfig = (call: Call, edit: (before: string) => string): string | null => {
  const { after } = editFile(call.paths.config, before => edit(before?.trim() ? before : '{}\n'));
  chmodSync(call.paths.config, 0o600);
  return after;
};
