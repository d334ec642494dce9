/** Numbers and times for a human's eye. */

export { ago, line } from '../../client/text.ts';

/** Date and time of day here. Not `toLocaleString`: it loads ICU, which takes longer than the rest of a command. */
export const clockTime = (at: number): string => {
  const date = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

export const size = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} KB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(2)} GB`;
};

export const count = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ',');

/** The word about sessions whose hooks are not reaching us, with the way out. */
export const silentFix = (sessions: number): string =>
  `${sessions} SILENT: alive, but ${sessions === 1 ? 'its' : 'their'} hooks are not reaching us; \`drover doctor\` finds out why`;
