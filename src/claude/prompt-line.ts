/** The CLI's prompt line as a screen shows it: empty, with a draft in it, or not there (a dialog, a start, another program). */
import { withoutSpace } from './without-space.ts';

export interface PromptLine {
  /** What a person, or we, typed and did not submit; empty when there is nothing. */
  draft: string;
}

/**
 * Reads a screen captured with its colours (`capture-pane -e`): the CLI's own suggestions stand in the line too, and only
 * their being dim tells them from a draft. Null when there is no prompt line.
 */
export const promptLine = (screen: string): PromptLine | null => {
  const rows = screen.split('\n').map(cells);
  // At the start of a row it is the prompt; menus and dialogs indent theirs. What stands above the last one is history.
  const at = rows.findLastIndex(row => plain(row).startsWith('❯'));
  if (at < 0) return null;
  const rest = rows.slice(at + 1);
  const rule = rest.findIndex(row => /^[─━▔]{3}/.test(plain(row).trim()));
  // History has no rule below it: what was submitted is followed by the answer.
  if (rule < 0) return null;
  const typed = [rows[at]?.slice(1) ?? [], ...rest.slice(0, rule)];
  return { draft: isSuggestion(typed.flat()) ? '' : typed.map(plain).join('\n').trim() };
};

/** Whether a draft is this text: its end is on the screen, or the CLI has folded it into a mark of its own. */
export const showsText = ({ draft }: PromptLine, text: string): boolean => {
  if (draft === '') return false;
  const squeezed = withoutSpace(draft);
  return /\[(?:Pasted|\.\.\.Truncated)text#\d/.test(squeezed) || squeezed.endsWith(tailOf(text));
};

/** Whether nothing stands in the line beside this text. Compared by ASCII alone: a screen may show the rest differently. */
export const isAlone = ({ draft }: PromptLine, text: string): boolean => {
  const [shown, whole] = [ascii(draft), ascii(text)];
  // Of a long text the screen shows the end, or a mark: at its place, or between beginning and end.
  if (whole.endsWith(shown)) return true;
  const [head = '', tail] = shown.split(folded);
  return tail !== undefined && whole.startsWith(head) && whole.endsWith(tail);
};

/** Whether this text stands in the line, and nothing else. */
export const showsOnly = (line: PromptLine, text: string): boolean =>
  showsText(line, text) && isAlone(line, text);

/** Whether what stands in the line is the beginning of this text: what is left when its end was taken away. */
export const isBeginning = ({ draft }: PromptLine, text: string): boolean =>
  ascii(text).startsWith(ascii(draft).split(folded)[0] ?? '');

/** What the CLI shows in place of the middle of a long text. */
const folded = /\[(?:Pastedtext|\.\.\.Truncatedtext)#\d+[^\]]*\]/;

const ascii = (text: string): string => text.replace(/[^!-~]+/g, '');

const tailOf = (text: string): string => withoutSpace(text).slice(-40);

interface Cell {
  char: string;
  dim: boolean;
  inverse: boolean;
}

/** All dim, but for the cursor, which may stand on its first letter. */
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

/** The codes of one sequence without the arguments of colours: the 2 of `38;2;r;g;b` is not "dim". */
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
