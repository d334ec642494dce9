/**
 * A permission request that only the screen shows: its dialog was opened before the hooks were registered, or no hooks are
 * registered at all.
 */
import { type Dialog, dialogOf, identityOf } from './dialog.ts';
import { permissionOptions } from './dialog-options.ts';

export interface ScreenRequest {
  /** The tool, or the title of the dialog where it is not known. */
  tool: string;
  /** What it asks for: the framed part of the dialog if it has one, else all of its text. */
  text: string;
  /** The text beside the framed part. */
  more: string;
  /** The kind of subagent that asks. */
  agent: string | null;
  /** Identifies the dialog: equal if it is the same one, or one that asks the same. */
  identity: string;
}

/** The permission dialog on a screen; null when there is none, or only a part of one. */
export const screenRequest = (screen: string): ScreenRequest | null => {
  const dialog = dialogOf(screen.split('\n').map(row => row.trimEnd()));
  if (!dialog || permissionOptions(dialog).length === 0) return null;
  const isRule = (row: string) => frame.test(row);
  const [from, to] = [dialog.body.findIndex(isRule), dialog.body.findLastIndex(isRule)];
  const isFramed = from < to;
  const text = isFramed ? dialog.body.slice(from + 1, to) : dialog.body;
  const more = isFramed ? [...dialog.body.slice(0, from), ...dialog.body.slice(to + 1)] : [];
  return {
    tool: tools[dialog.title] ?? dialog.title.slice(0, 100),
    text: textOf(text),
    more: textOf(more),
    agent: dialog.agent,
    identity: identityWithAgent(dialog),
  };
};

export const identityWithAgent = (dialog: Dialog): string =>
  JSON.stringify([identityOf(dialog), dialog.agent]);

/** The lines above and below a command or a diff. */
const frame = /^\s*[╌┄]{3}/;

const textOf = (rows: string[]): string =>
  rows
    .map(row => row.trim())
    .filter(row => row !== '' && !/^(?:Tip: |Do you want to )/.test(row))
    .join('\n')
    .slice(0, maxText);

const tools: { [title: string]: string | undefined } = {
  'Bash command': 'Bash',
  'Edit file': 'Edit',
  'Create file': 'Write',
  'Overwrite file': 'Write',
  'Read file': 'Read',
  Fetch: 'WebFetch',
};

/** More than a screen shows. */
const maxText = 20_000;
