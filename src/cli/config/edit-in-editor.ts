/** Opens a copy of config.json in the editor, and replaces the file only by a valid one. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DroverError } from '../../contract/error.ts';
import { editFile } from '../../hook/install/edit-file.ts';
import { writePrivate } from '../../files/private-file.ts';
import { canAsk, confirm } from '../output/question.ts';
import type { Call } from '../verb.ts';
import { checkConfig } from './check-config.ts';
import { schemaText } from './schema-file.ts';

const newFile = '{\n  "$schema": "./config.schema.json"\n}\n';

export const editInEditor = async (call: Call): Promise<number> => {
  const editor = call.env.VISUAL || call.env.EDITOR || 'vi';
  if (editor === 'vi' && !canAsk())
    throw new DroverError(
      'usage',
      'vi needs a terminal.',
      'Use `drover config set`, or set VISUAL to an editor that needs none.',
    );
  const { config, configCopy, configSchema, home } = call.paths;
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writePrivate(configSchema, schemaText());
  const before = textOf(config);
  const earlier = textOf(configCopy);
  if (earlier === null) writeFileSync(configCopy, before ?? newFile, { mode: 0o600 });
  else if (earlier !== before)
    call.err(`Opening your earlier edit, which was not saved. To start again, delete ${configCopy}.`);
  for (;;) {
    openEditor(editor, call, configCopy, before ?? newFile);
    const edited = textOf(configCopy);
    if (edited === null)
      throw new DroverError(
        'failed',
        `The editor removed ${configCopy}. config.json was not changed.`,
        'Save the file in the editor, and leave it where it is.',
      );
    // An empty file would not be applied by a running daemon.
    const after = edited.trim() === '' ? '{}\n' : edited;
    if (edited === (before ?? newFile)) break;
    const { problems, warnings } = checkConfig(after, configCopy);
    for (const finding of [...problems, ...warnings]) call.err(finding);
    if (problems.length === 0) {
      replace(config, before, after, configCopy);
      rmSync(configCopy);
      call.out(
        `Saved ${config}. A running daemon applies it now; \`drover config check\` says what needs a restart.`,
      );
      return 0;
    }
    if (canAsk() && (await confirm('Edit it again?'))) continue;
    throw new DroverError(
      'bad_config',
      `${config} was not changed, because the edited copy is not valid.`,
      `Your edit is in ${configCopy}.`,
    );
  }
  rmSync(configCopy);
  call.out('No change.');
  return 0;
};

/** `original`: the text of the copy when nothing has been edited. */
const openEditor = (editor: string, { env }: Call, file: string, original: string): void => {
  // An editor may be given with arguments: `code --wait`.
  const { status, error } = spawnSync('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], {
    stdio: 'inherit',
    env,
  });
  if (error || status !== 0) {
    if (textOf(file) === original) rmSync(file);
    throw new DroverError(
      'failed',
      `The editor failed: ${editor}. config.json was not changed.`,
      'Set VISUAL or EDITOR to your editor.',
    );
  }
};

const replace = (config: string, before: string | null, after: string, copy: string): void => {
  editFile(config, now => {
    if (now === before) return after;
    throw new DroverError(
      'refused',
      `${config} was changed by another program in the meantime.`,
      `Your edit is in ${copy}.`,
    );
  });
  chmodSync(config, 0o600);
};

const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};
