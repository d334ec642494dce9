/** Splits lines of a terminal by their colour sequences. */
import { wide } from './text.ts';

/** One of the sixteen theme colours, or `#rrggbb`. */
export type Colour = number | string;

export interface Style {
  front: Colour | null;
  back: Colour | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
}

export interface Piece {
  column: number;
  columns: number;
  text: string;
  style: Style;
}

export const plainStyle: Style = {
  front: null,
  back: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};

/** Splits a line into pieces of one style each; returns the style that the next line starts with. */
export const piecesOf = (line: string, before: Style): { pieces: Piece[]; last: Style } => {
  const pieces: Piece[] = [];
  let style = before;
  let column = 0;
  for (const [n, part] of line.split(/\x1b\[([\d;:]*)m/).entries()) {
    if (n % 2) style = styled(style, part);
    else if (part !== '') {
      pieces.push({ column, columns: wide(part), text: part, style });
      column += wide(part);
    }
  }
  return { pieces, last: style };
};

const styled = (before: Style, sequence: string): Style => {
  const codes = sequence.split(/[;:]/).map(Number);
  let style = before;
  while (codes.length > 0) {
    const code = codes.shift() as number;
    if (code === 38 || code === 48) {
      const colour = longColour(codes);
      style = code === 38 ? { ...style, front: colour } : { ...style, back: colour };
    } else style = { ...style, ...changeOf(code) };
  }
  return style;
};

const changeOf = (code: number): Partial<Style> => {
  if (code >= 30 && code <= 37) return { front: code - 30 };
  if (code >= 40 && code <= 47) return { back: code - 40 };
  if (code >= 90 && code <= 97) return { front: code - 82 };
  if (code >= 100 && code <= 107) return { back: code - 92 };
  return changes[code] ?? {};
};

const changes: Record<number, Partial<Style> | undefined> = {
  0: plainStyle,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  39: { front: null },
  49: { back: null },
};

/** Reads `5;n` or `2;r;g;b` and removes it from the codes. */
const longColour = (codes: number[]): Colour => {
  const hex = (values: number[]) => `#${values.map(value => value.toString(16).padStart(2, '0')).join('')}`;
  if (codes.shift() === 2) return hex(codes.splice(0, 3));
  const n = codes.shift() ?? 0;
  if (n < 16) return n;
  if (n >= 232) return hex(Array(3).fill(8 + (n - 232) * 10) as number[]);
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  return hex([Math.floor((n - 16) / 36), Math.floor((n - 16) / 6) % 6, (n - 16) % 6].map(level));
};
