/** Bounds the text of a patch. */
import { limits } from '../limits.ts';

/** Joins as many lines of a patch as may be kept. */
export const cutPatch = (lines: string[]): { patch: string; isCut: boolean } => {
  let length = 0;
  const end = lines.findIndex(line => (length += line.length + 1) > limits.changes.patchBytes);
  return end < 0
    ? { patch: lines.join('\n'), isCut: false }
    : { patch: lines.slice(0, end).join('\n'), isCut: true };
};
