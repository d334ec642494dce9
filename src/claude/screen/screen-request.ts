/**
 * A permission request that only the screen shows: its dialog was opened before the hooks were registered, or no hooks are
 * registered at all.
 */
import { type Dialog, dialogOf, identityOf } from './dialog.ts';
import { callRows, toolsByTitle } from './dialog-input.ts';
import { permissionOptions } from './dialog-options.ts';

export interface ScreenRequest {
  /** The tool, or the title of the dialog where it is not known. */
  tool: string;
  /** What it asks for: the part of the dialog that shows the call. */
  text: string;
  /** The text around that part. */
  more: string;
  /** The kind of subagent that asks. */
  agent: string | null;
  /** Identifies the dialog: equal if it is the same one, or one that asks the same. */
  identity: string;
}

/** The permission dialog on a screen of this width; null when there is none, or only a part of one. */
export const screenRequest = (rows: string[], width: number): ScreenRequest | null => {
  const dialog = dialogOf(rows, width);
  if (!dialog || dialog.isQuestion || permissionOptions(dialog).length === 0) return null;
  const { body, frame, title } = dialog;
  // The CLI has cut the beginning of the path.
  if (isAboutFile(title) && frame?.before.some(row => row.startsWith(' …'))) return null;
  // All of it, whatever its words: the model may write what the CLI says.
  const shown = frame?.inside ?? callRows(body);
  return {
    tool: toolsByTitle[title] ?? title.slice(0, 100),
    text: textOf(shown),
    more: textOf(
      frame
        ? saidAround(isAboutFile(title) ? frame.before : withoutTip(frame.before), frame.after)
        : saidAround([], body.slice(shown.length)),
    ),
    agent: dialog.agent,
    identity: identityWithAgent(dialog),
  };
};

export const identityWithAgent = (dialog: Dialog): string =>
  JSON.stringify([identityOf(dialog), dialog.agent]);

const textOf = (rows: string[]): string =>
  rows
    .map(row => row.trim())
    .filter(row => row !== '')
    .join('\n');

/** What the CLI says around the call, without its question below. */
const saidAround = (before: string[], after: string[]): string[] => [
  ...before,
  ...after.filter(row => !row.startsWith(' Do you want to ')),
];

/** The rows above a call without the tip of the CLI. Those of a file are its name, which may be anything. */
const withoutTip = (before: string[]): string[] =>
  before.slice(before[0]?.startsWith(' Tip: ') ? before.findIndex(row => row.endsWith('below')) + 1 : 0);

const isAboutFile = (title: string): boolean => /^(?:Create|Overwrite|Edit) file$/.test(title);
