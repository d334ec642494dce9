/** Adds and removes Drover's status line in the text of a settings file. Pure. */
import { join } from 'node:path';
import type { Node } from 'jsonc-parser';
import * as z from 'zod';
import { droverHome, type Env } from '../../paths.ts';
import { quote } from '../../quote.ts';
import { isPortable } from './command.ts';
import {
  append,
  type Doc,
  drop,
  emptyInside,
  keysOf,
  parseDoc,
  refuse,
  replaceText,
  valueOf,
} from './json-text.ts';
import { bomOf, isBlank } from './merge.ts';

/** What removal needs to restore the file byte for byte. */
export const UndoStatusLine = z.object({
  /** The text of the user's own command, with its quotes; null if there was no status line. */
  command: z.string().nullable(),
  /** Text of a file without JSON; null if there was no file. */
  blank: z.string().nullable().optional(),
  /** Text between the braces of an empty top level. */
  root: z.string().optional(),
});
export type UndoStatusLine = z.infer<typeof UndoStatusLine>;

/** Builds the command. It contains the user's own, so that nothing is lost when Drover's files are gone. */
export const statusLineCommand = (own: string, env: Env): string => {
  const path = isPortable(env)
    ? '"${DROVER_HOME:-$HOME/.drover}/statusline.sh"'
    : quote(join(droverHome(env), 'statusline.sh'));
  return `own=${quote(own)}; DROVER_STATUSLINE=${path}; test -r "$DROVER_STATUSLINE" && . "$DROVER_STATUSLINE"; test -z "$own" || eval "$own"`;
};

/** Returns whether a command is ours, for any DROVER_HOME. */
export const isOwnStatusLine = (command: unknown): command is string =>
  typeof command === 'string' && ownForm.test(command);

const ownForm = /^own='((?:[^']|'\\'')*)'; DROVER_STATUSLINE=.*statusline\.sh/s;

/** Puts Drover's command in front of the user's own, or adds a status line. `before` is null without a file. */
export const addStatusLine = (
  before: string | null,
  known: UndoStatusLine | undefined,
  env: Env,
  file: string,
): { text: string; undo: UndoStatusLine } => {
  const blank = before === null || isBlank(before);
  const bom = blank ? '' : bomOf(before);
  const doc = parseDoc(blank ? '{}\n' : before.slice(bom.length), file);
  const command = commandOf(doc);
  if (!command) {
    const inside = emptyInside(doc, doc.root);
    const undo = {
      command: null,
      ...(blank && { blank: before }),
      ...(inside !== undefined && { root: inside }),
    };
    const line = { type: 'command', command: statusLineCommand('', env) };
    return { text: bom + append(doc, doc.root, 'statusLine', line).text, undo };
  }
  const isOwn = isOwnStatusLine(command.value);
  const own = isOwn ? ownIn(command.value) : String(command.value);
  const undo = isOwn
    ? (known ?? { command: own === '' ? null : JSON.stringify(own) })
    : { command: doc.text.slice(command.offset, command.offset + command.length) };
  const wanted = JSON.stringify(statusLineCommand(own, env));
  const text =
    isOwn && JSON.stringify(command.value) === wanted ? doc.text : replaceText(doc, command, wanted).text;
  return { text: bom + text, undo };
};

/** Restores the user's own status line. Returns null if Drover created the file. */
export const dropStatusLine = (
  before: string,
  known: UndoStatusLine | undefined,
  file: string,
): string | null => {
  if (isBlank(before)) return before;
  const bom = bomOf(before);
  const doc = parseDoc(before.slice(bom.length), file);
  const command = valueOf(doc, doc.root, 'statusLine')?.type === 'object' ? commandOf(doc) : undefined;
  if (!command || !isOwnStatusLine(command.value)) return before;
  const own = ownIn(command.value);
  const undo = known ?? { command: own === '' ? null : JSON.stringify(own) };
  if (undo.command !== null) return bom + replaceText(doc, command, undo.command).text;
  const line = valueOf(doc, doc.root, 'statusLine') as Node;
  const left = drop(doc, line.parent as Node, undo.root ?? '');
  if (undo.blank !== undefined && keysOf(left.root).length === 0) return undo.blank;
  return bom + left.text;
};

/** Returns the user's own command inside ours. */
const ownIn = (command: string): string => (ownForm.exec(command)?.[1] ?? '').replaceAll(`'\\''`, "'");

const commandOf = (doc: Doc): Node | undefined => {
  const line = valueOf(doc, doc.root, 'statusLine');
  if (!line) return undefined;
  const command = line.type === 'object' ? valueOf(doc, line, 'command') : undefined;
  if (command?.type !== 'string') refuse(doc.text, doc.file, line.offset, '"statusLine" has no command');
  return command;
};
