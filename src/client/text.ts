/** Prepares untrusted text for the screen: fixed width, no control characters; and formats ages. */
import { unseen } from '../unseen.ts';

/** Formats how long ago a time was. */
export const ago = (at: number, now = Date.now()): string => {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
};

/** One line of plain text, no wider than `width` columns. */
export const line = (text: string, width: number): string =>
  cut(
    text
      .slice(0, 4 * width + 1_000)
      .replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ')
      .replace(unseen, '')
      .trim(),
    width,
  );

/** Several lines of plain text: of the control characters line breaks and tabs stay. */
export const clean = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .replace(unseen, '');

/** Escapes in JSON whatever a terminal could interpret; a parser reads the same value. */
export const escaped = (json: string): string =>
  json.replace(/[\u007f-\u009f]/g, escapeUnits).replace(unseen, escapeUnits);

const escapeUnits = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** Several lines with control and invisible characters shown by their code. */
export const visible = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(/[\ufe0e\ufe0f]/g, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, escapeUnits)
    .replace(unseen, escapeUnits);

/** Columns on screen: CJK and emoji take two. */
export const wide = (text: string): number => Array.from(text).length + (text.match(twoWide)?.length ?? 0);

export const pad = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - wide(text)));

/** Wraps text at `width` columns, between words where possible; an indented line stays indented. */
export const wrap = (text: string, width: number): string[] =>
  text.split('\n').flatMap(given => {
    const plain = given.replaceAll('\t', '  ');
    const indent = plain.slice(0, Math.min(plain.search(/[^ ]|$/), Math.floor(width / 3)));
    const room = Math.max(2, width - indent.length);
    const lines: string[] = [];
    for (let rest = plain.slice(indent.length); ; ) {
      const piece = head(rest, room);
      if (piece.length === rest.length) return [...lines, `${indent}${rest}`];
      const space = rest[piece.length] === ' ' ? piece.length : piece.lastIndexOf(' ');
      const end = space > room / 3 ? space : piece.length;
      lines.push(`${indent}${rest.slice(0, end)}`);
      rest = rest.slice(end).trimStart();
    }
  });

/** Exactly `width` columns: cut, or filled up. */
export const fit = (text: string, width: number): string => pad(cut(text, width), width);

/** No more than `width` columns. */
export const cut = (text: string, width: number): string =>
  wide(text) > width ? `${head(text, Math.max(0, width - 1))}…` : text;

/** As much of the text as fits. */
const head = (text: string, width: number): string => {
  let used = 0;
  let end = 0;
  for (const letter of text) {
    used += wide(letter);
    if (used > width) break;
    end += letter.length;
  }
  return text.slice(0, end);
};

const twoWide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/gu;
