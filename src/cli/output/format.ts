/** Formats numbers and times for people. */

export { ago, line } from '../../client/text.ts';

/** Formats a local date and time. `toLocaleString` would load ICU, which is slower than the rest of a command. */
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

/** Reports sessions whose hooks do not arrive. */
export const silentText = (sessions: number): string =>
  `${sessions} SILENT: running, but no hook has fired. Sessions older than the setup show up at their next event; otherwise run \`drover doctor\``;
