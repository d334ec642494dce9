/** Numbers and times for a human's eye. */

export const ago = (at: number, now = Date.now()): string => {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
};

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

/** One line of plain text: no control characters, no longer than `width`. */
export const line = (text: string, width: number): string => {
  const plain = text.replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ').trim();
  return plain.length > width ? `${plain.slice(0, Math.max(0, width - 1))}…` : plain;
};

/** The word about sessions whose hooks are not reaching us, with the way out. */
export const silentFix = (sessions: number): string =>
  `${sessions} SILENT: alive, but ${sessions === 1 ? 'its' : 'their'} hooks are not reaching us; \`drover doctor\` finds out why`;
