/** Text that fits: what was said is bounded, with a way to the rest, and holds nothing that a terminal would obey. */

/** The beginning and the end: what it was about, and what it came to. `rest` says where all of it can be read. */
export const cutMiddle = (text: string, most: number, rest: string): string => {
  const bytes = Buffer.byteLength(text);
  if (bytes <= most) return text;
  const head = headOf(text, Math.floor(most / 4));
  const tail = tailOf(text, most - Math.floor(most / 4));
  const left = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return `${head}\n(… ${left} bytes left out; all of it: ${rest} …)\n${tail}`;
};

export const headOf = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, Math.max(0, bytes))).replace(/\uFFFD+$/, '');

const tailOf = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(-bytes)).replace(/^\uFFFD+/, '');

/** Text that a terminal and a command line can take: no escape sequences, no other control characters. */
export const plain = (text: string): string =>
  text.replace(/\x1b\[[\d;:?]*[ -/]*[@-~]/g, '').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
