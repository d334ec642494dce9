/** Dialogs at the start of the CLI, known by their words: no hook runs and no session file exists while one is up. */

const dialogs: [name: string, words: RegExp][] = [
  ['trust this folder?', /trust (?:the files in )?this folder|Quick safety check|Do you trust/i],
  ['use the API key of the environment?', /Detected a custom API key/i],
  ['choose a theme', /Choose the text style|Choose a theme|Let's get started/i],
  ['bypass permissions?', /Bypass Permissions mode/i],
  ['settings warning', /Settings (?:Warning|Error)/i],
  ['use the MCP server of this project?', /New MCP servers? found in this project/i],
  ['log in', /Select login method/i],
  ['read the security notes', /Security notes:[\s\S]*Press Enter/i],
  // Whatever else a start may ask: its menus all end in this line.
  ['a question at the start', /Enter to (?:confirm|continue|select)/i],
];

/** What a screen asks, in a few words; null when it shows no dialog that is known. */
export const startupDialog = (screen: string): string | null => {
  // A prompt line means that the CLI is up: what stands above it is history.
  if (/^❯\s*$/m.test(screen)) return null;
  return dialogs.find(([, words]) => words.test(screen))?.[0] ?? null;
};

/** How far the highlight is from "Yes" in the trust dialog, rows down; null when that dialog is not on the screen. */
export const trustSteps = (screen: string): number | null => {
  if (startupDialog(screen) !== dialogs[0]?.[0]) return null;
  const rows = screen.split('\n');
  const caret = rows.findIndex(row => /^\s*❯\s*(?:\d+\.\s*)?\S/.test(row));
  const yes = rows.findIndex(row => /^\s*(?:❯\s*)?(?:\d+\.\s*)?Yes\b/.test(row));
  return caret < 0 || yes < 0 ? null : yes - caret;
};
