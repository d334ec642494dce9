/** Reads the CLI's prompt line from a screen: empty, with a draft, or absent (a dialog, a start, another program). */
import { withoutSpace } from './without-space.ts';

export interface PromptLine {
  /** Text that was typed and not submitted; empty when there is none. */
  draft: string;
}

/**
 * Reads a screen captured with colours (`capture-pane -e`): the line may also show a suggestion of the CLI, which differs from
 * a draft only by being dim. Null when there is no prompt line.
 */
export const promptLine = (screen: string): PromptLine | null => {
  const rows = screen.split('\n').map(cells);
  // The prompt is at the start of a row; menus and dialogs indent theirs. Prompts above the last one are history.
  const at = rows.findLastIndex(row => plain(row).startsWith('❯'));
  if (at < 0) return null;
  const rest = rows.slice(at + 1);
  const rule = rest.findIndex(row => /^[─━▔]{3}/.test(plain(row).trim()));
  // A submitted prompt has no rule below it: its answer follows.
  if (rule < 0) return null;
  const typed = [rows[at]?.slice(1) ?? [], ...rest.slice(0, rule)];
  return { draft: isSuggestion(typed.flat()) ? '' : typed.map(plain).join('\n').trim() };
};

/** Whether the line shows this text: its end, or a placeholder that the CLI shows for a long paste. */
export const showsText = ({ draft }: PromptLine, text: string): boolean => {
  if (draft === '') return false;
  const squeezed = withoutSpace(draft);
  return /\[(?:Pasted|\.\.\.Truncated)text#\d/.test(squeezed) || squeezed.endsWith(tailOf(text));
};

/** Whether the line has nothing besides this text. Compares only ASCII: a screen may show other characters differently. */
export const showsNothingElse = ({ draft }: PromptLine, text: string): boolean => {
  const [shown, whole] = [ascii(draft), ascii(text)];
  // The screen shows only the end of a long text, or a placeholder, alone or between its beginning and end.
  if (whole.endsWith(shown)) return true;
  const [head = '', tail] = shown.split(placeholder);
  return tail !== undefined && whole.startsWith(head) && whole.endsWith(tail);
};

/** Whether the line shows this text and nothing else. */
export const showsOnly = (line: PromptLine, text: string): boolean =>
  showsText(line, text) && showsNothingElse(line, text);

/** Whether the line shows the beginning of this text: what is left after its end was erased. */
export const isBeginning = ({ draft }: PromptLine, text: string): boolean =>
  ascii(text).startsWith(ascii(draft).split(placeholder)[0] ?? '');

/** What the CLI shows instead of a long text or its middle. */
const placeholder = /\[(?:Pastedtext|\.\.\.Truncatedtext)#\d+[^\]]*\]/;

const ascii = (text: string): string => text.replace(/[^!-~]+/g, '');

const tailOf = (text: string): string => withoutSpace(text).slice(-40);

interface Cell {
  char: string;
  dim: boolean;
  inverse: boolean;
}

/** All of it is dim, except for the cursor, which may be on its first letter. */
const isSuggestion = (typed: Cell[]): boolean => {
  const seen = typed.filter(({ char }) => char.trim() !== '');
  return seen.some(({ dim }) => dim) && seen.every(({ dim, inverse }) => dim || inverse);
};

const plain = (row: Cell[]): string => row.map(({ char }) => char).join('');

const cells = (row: string): Cell[] => {
  const found: Cell[] = [];
  let [dim, inverse] = [false, false];
  for (const [, sgr, char] of row.matchAll(/\x1b\[([\d;:]*)m|\x1b[^m]*?[A-Za-z\\]|([\s\S])/gu)) {
    if (char !== undefined) found.push({ char, dim, inverse });
    for (const code of sgr === undefined ? [] : codesOf(sgr)) {
      if (code === 0) [dim, inverse] = [false, false];
      if (code === 2) dim = true;
      if (code === 22) dim = false;
      if (code === 7) inverse = true;
      if (code === 27) inverse = false;
    }
  }
  return found;
};

/** The codes of a sequence without the arguments of colours: the 2 of `38;2;r;g;b` does not mean dim. */
const codesOf = (sgr: string): number[] => {
  const all = sgr.split(';').map(part => (part.includes(':') ? -1 : Number(part || 0)));
  const kept: number[] = [];
  for (let index = 0; index < all.length; index++) {
    const code = all[index] ?? 0;
    kept.push(code);
    if (code === 38 || code === 48) index += all[index + 1] === 2 ? 4 : 2;
  }
  return kept;
};
