/** Shorten and clean text for a wake message. */

/** Keep the first quarter and the end of the text. `rest` names the command that prints all of it. */
export const truncateMiddle = (text: string, maxBytes: number, rest: string): string => {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  const head = firstBytes(text, Math.floor(maxBytes / 4));
  const tail = lastBytes(text, maxBytes - Math.floor(maxBytes / 4));
  const left = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return `${head}\n(… ${left} bytes left out; all of it: ${rest} …)\n${tail}`;
};

export const firstBytes = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, Math.max(0, bytes))).replace(/\uFFFD+$/, '');

export const lastBytes = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(-bytes)).replace(/^\uFFFD+/, '');

/** Remove escape sequences and other control characters, which a terminal would obey. */
export const stripControls = (text: string): string =>
  text.replace(/\x1b\[[\d;:?]*[ -/]*[@-~]/g, '').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Indent lines of a text that look like a section header. */
export const indented = (text: string): string => text.replace(/^(?=\[[A-Z][A-Z ]*\])/gm, ' ');
