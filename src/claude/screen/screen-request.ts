/**
 * A permission request that only the screen shows: its dialog was opened before the hooks were registered, or no hooks are
 * registered at all.
 */
import { type Dialog, dialogOf, identityOf } from './dialog.ts';
import { permissionOptions } from './dialog-options.ts';

export interface ScreenRequest {
  /** The title of the dialog, such as "Bash command". */
  title: string;
  /** What it asks, without the options. */
  text: string;
  /** The kind of subagent that asks. */
  agent: string | null;
  /** Identifies the dialog: equal if it is the same one, or one that asks the same. */
  identity: string;
}

/** The permission dialog on a screen; null when there is none, or only a part of one. */
export const screenRequest = (screen: string): ScreenRequest | null => {
  const dialog = dialogOf(screen.split('\n').map(row => row.trimEnd()));
  if (!dialog || permissionOptions(dialog).length === 0) return null;
  const rows = dialog.body.map(row => row.trim()).filter(row => row !== '' && !isDecoration.test(row));
  return {
    title: dialog.title.slice(0, 100),
    text: rows.join('\n').slice(0, maxText),
    agent: dialog.agent,
    identity: identityWithAgent(dialog),
  };
};

export const identityWithAgent = (dialog: Dialog): string =>
  JSON.stringify([identityOf(dialog), dialog.agent]);

const isDecoration = /^(?:[╌┄─]{3}|Tip: )/;

/** More than a screen shows. */
const maxText = 20_000;
