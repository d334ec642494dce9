/**
 * The rules of dialogs. The model controls much of the text in a dialog and can draw lines there, but no text begins in the first
 * column and fills the row: only the CLI paints a line over the whole width of the pane.
 */

/** The line above a dialog, and above and below the prompt line. */
export const isFullRule = (row: string, width: number): boolean => row === '─'.repeat(width);

/** The line above and below a command, a diff or a plan inside a dialog. */
export const isFullDotted = (row: string, width: number): boolean =>
  row.length === width && /^[╌┄]+$/.test(row);

/** Whether a row looks like the line above a dialog. */
export const looksLikeRule = (row: string): boolean => /^\s*[─━▔═]{3}/.test(row);

/**
 * The first row of the dialog whose options begin at `first`; null when its beginning is not on the screen. The plan dialog of
 * 2.1.325 has another rule below its plan.
 */
export const dialogTop = (rows: string[], first: number, width: number): number | null => {
  const rule = rows.slice(0, first).findLastIndex(row => isFullRule(row, width));
  if (rule < 0) return null;
  const above = rows.slice(0, rule).findLast(row => row.trim() !== '') ?? '';
  return isFullDotted(above, width) ? dialogTop(rows, rule, width) : rule + 1;
};
