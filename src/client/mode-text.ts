/** Permission modes in plain words, as Claude Code shows them. */

/** Empty where the mode is not known; a mode of a newer version is shown as it is called. */
export const modeText = (mode: string | null): string => (mode === null ? '' : (texts[mode] ?? mode));

const texts: { [mode: string]: string | undefined } = {
  default: 'manual',
  manual: 'manual',
  acceptEdits: 'accept edits',
  plan: 'plan',
  auto: 'auto',
  bypassPermissions: 'bypass permissions',
  dontAsk: "don't ask",
};
